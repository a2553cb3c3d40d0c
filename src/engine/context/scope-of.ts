// Who may be reminded of what: the scope of a run, made from where its prompt was written.
import { ParleyError } from '#base/errors.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Audience, Provenance, Scope, Sharing } from '#memory/types/scope.ts';

/** Whose memory a session without a chat reads: the one who runs this program. */
export const operator: Audience = 'person:operator';

/**
 * What a run may read. Nobody is shown a memory that they could not have read: in a room only what everyone there
 * could, so never the speaker's own direct messages, and nothing from elsewhere while outsiders read along; in a direct message also what
 * the same person said in private on linked accounts, and the rooms and spaces that the person may read now. Anyone who is an outsider in
 * private, a guest of a space, is not shown what is open to everyone.
 */
export function scopeOf(
  origin: Pick<PromptOrigin, 'kind' | 'audience' | 'space' | 'outsiders' | 'reach'> | undefined,
  sharing: Sharing,
): Scope {
  if (origin === undefined) return { audiences: [operator], spaces: [], everyone: false };
  const wide = sharing !== 'room' && origin.outsiders !== true;
  const everyone = sharing === 'everyone' && origin.outsiders !== true;
  if (origin.kind === 'dm') {
    const { audiences, spaces, since = {} } = origin.reach;
    return {
      audiences: [...new Set([origin.audience, ...audiences].map(audienceOf))],
      since: Object.fromEntries(Object.entries(since).filter(([audience]) => audience !== origin.audience)),
      spaces: sharing === 'room' ? [] : spaces,
      everyone,
    };
  }
  const audience = audienceOf(origin.audience);
  if (audience.startsWith('person:')) {
    throw new ParleyError('invalid_origin', `A ${origin.kind} cannot belong to one person's audience.`, {
      hint: 'Send the audience of the room, `room:...`.',
    });
  }
  return {
    audiences: [audience],
    spaces: wide && origin.space !== undefined ? [origin.space] : [],
    everyone,
  };
}

/** What platforms say of who may read what counts for so long, in milliseconds; the gateway asks as often. */
const reachMs = 5 * 60_000;

/**
 * The scope of a run as it is now. Once the platforms' answers are too old, as in a run that has waited for an approval, what is left is the
 * person's own in private and the room itself in a room: of all else nobody knows who may read it now.
 */
export function scopeNow(scope: Scope, origin: PromptOrigin | undefined, now: number): Scope {
  if (origin?.reachAtMs === undefined || now - origin.reachAtMs <= reachMs) return scope;
  const own = scope.audiences.filter((audience) => audience.startsWith('person:') || origin.kind !== 'dm');
  return { ...scope, audiences: own, spaces: [], everyone: false };
}

/**
 * Where a run was asked and by which person, as stored with what it notes; without a chat, by the operator. `partition` is the agent that
 * has its memory for itself.
 */
export function noteOriginOf(
  origin: PromptOrigin | undefined,
  partition?: string,
): {
  where: Provenance;
  platform: string;
  chat: string;
  person: string;
} {
  if (origin === undefined)
    return {
      where: { audience: operator, restricted: true, partition },
      platform: 'api',
      chat: 'api',
      person: 'operator',
    };
  const { platform, chat, speaker } = origin;
  return { where: { ...provenanceOf(origin), partition }, platform, chat, person: speaker.person };
}

/** Where an exchange was written, for its archive. */
export function provenanceOf(origin: Pick<PromptOrigin, 'audience' | 'space' | 'restricted'>): Provenance {
  return { audience: audienceOf(origin.audience), space: origin.space, restricted: origin.restricted };
}

function audienceOf(text: string): Audience {
  if (isAudience(text)) return text;
  throw new ParleyError(
    'invalid_origin',
    `Expected an audience like person:ID or room:ID, got ${JSON.stringify(text)}.`,
  );
}

function isAudience(text: string): text is Audience {
  return /^(person|room):.+/s.test(text);
}
