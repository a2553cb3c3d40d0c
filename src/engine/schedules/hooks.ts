// Webhooks: who may send, what it becomes in the chat, and that each request is made due once.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { tryJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import { type Hook, type HookRequest, newHook } from '#engine/wire/schedules/hook.ts';
import type { HookService } from '#engine/wire/schedules/schedule-operations.ts';
import type { FiringQueue } from './firing-queue.ts';
import type { FiringRows } from './firing-rows.ts';
import type { HookRows, StoredHook } from './hook-rows.ts';

/** How far the time of a signature may be from ours, in milliseconds. */
const windowMs = 5 * 60_000;
const minuteMs = 60_000;
const testBody = '{"text":"This is a test."}';
/** Characters of what a request becomes. */
const maxChars = 8_000;
/** `platform:kind:account:space:chat:thread`. */
const address = /^(?:discord|telegram|slack|terminal):(?:dm|group|channel):[^:-][^:]*:[^:]+:[^:]+:[^:]+$/;

/** Over the tables of one engine; `nudge` is called when something was made due. */
export function createHooks(options: {
  rows: HookRows;
  firings: FiringRows;
  events: Pick<EventLog, 'commit'>;
  nudge: () => void;
  /** What became of what was made due, once it is known or so long has passed. */
  outcome: FiringQueue['outcome'];
  mask: (text: string) => string;
  clock: Clock;
  newId: NewId;
}): HookService {
  const { rows, firings, events, nudge, outcome, mask, clock, newId } = options;
  const existing = (name: string): StoredHook => {
    const found = rows.get(name);
    if (found !== undefined) return found;
    throw new ParleyError('hook_not_found', `There is no webhook ${JSON.stringify(name)}.`);
  };
  /** Makes due what was sent; `isNew` is false for a repeat, which is not made due again. */
  const makeDue = (name: string, request: HookRequest): { id: string; isNew: boolean } => {
    const hook = rows.get(name);
    const now = clock.now();
    const key = hook && keyOf(hook.secret, request, { now, newId });
    if (hook === undefined || key === undefined) throw refused();
    if (hook.state === 'stopped')
      throw new ParleyError(
        'hook_stopped',
        `This webhook is stopped: ${hook.reason ?? 'it could not be sent'}.`,
      );
    const { kind, chat, template, per_minute } = hook;
    const text = mask(truncate(filled(template, { body: request.body, kind }), maxChars)).trim();
    if (text === '')
      throw new ParleyError('invalid_hook_body', 'The body gives an empty message: send some text.');
    const id = newId('fir');
    const occurrence = `${hook.id} ${key}`;
    const isNew = events.commit(() => {
      const firing = {
        ...{ id, source: 'hook' as const, source_id: name, occurrence, kind, text, chat },
        ...{ person: null, zone: null, due_at_ms: now, releaseAtMs: now, madeAtMs: now, recurring: true },
        platform: chat.split(':')[0] ?? '',
      };
      // a repeat is answered as one, also when no more would be taken
      const isOver = rows.countSince(name, now - minuteMs) >= per_minute;
      if (isOver && !firings.knows('hook', name, occurrence))
        throw new ParleyError(
          'hook_too_often',
          `This webhook takes ${per_minute} requests within a minute: try again later.`,
        );
      const inserted = firings.insert(firing);
      rows.received(name, now);
      return inserted;
    });
    nudge();
    return { id, isNew };
  };
  return {
    async createHook(input) {
      const { name, chat, kind = 'text', template = '{{body}}', per_minute = 30 } = newHook.parse(input);
      if (!address.test(chat))
        throw new ParleyError(
          'invalid_chat',
          `Expected the address of a chat like "discord:dm:ACCOUNT:-:CHAT:-", got ${JSON.stringify(chat.slice(0, 100))}.`,
        );
      const made: StoredHook = {
        ...{ name, chat, kind, template, per_minute, id: newId('hok'), state: 'active' },
        secret: randomBytes(32).toString('base64url'),
        created_at_ms: clock.now(),
        received_at_ms: null,
      };
      if (!events.commit(() => rows.insert(made)))
        throw new ParleyError(
          'hook_exists',
          `There is a webhook ${JSON.stringify(name)} already: delete it first.`,
        );
      return { ...shown(made), secret: made.secret };
    },
    listHooks: async () => rows.all().map(shown),
    async deleteHook({ name }) {
      return events.commit(() => {
        const found = existing(name);
        rows.remove(name);
        firings.drop('hook', name);
        return shown(found);
      });
    },
    async testHook({ name, wait_ms = 0 }) {
      const { secret } = existing(name);
      const { id } = makeDue(name, { body: testBody, proof: { bearer: secret }, key: undefined });
      return { ok: true, ...((await outcome(id, wait_ms)) ?? { status: 'waiting' }) };
    },
    receiveHook: async (name, request) => (makeDue(name, request).isNew ? 'accepted' : 'duplicate'),
  };
}

function shown({ id: _i, secret: _s, ...hook }: StoredHook): Hook {
  return hook;
}

/** The same words whatever was wrong: they say nothing about which hooks there are. */
const refused = (): ParleyError =>
  new ParleyError(
    'hook_refused',
    'There is no such webhook, or its secret, signature or time is wrong. Expected "Authorization: Bearer SECRET", or X-Parley-Timestamp (seconds, at most five minutes old) with X-Parley-Signature "sha256=HEX" over TIMESTAMP.BODY.',
  );

/**
 * What a request is known by when it comes again; undefined for one that proves nothing. That of a signed request is made of what the
 * signature is over and of nothing else, so that who captured it cannot give it another one: an Idempotency-Key counts if it is signed.
 */
function keyOf(
  secret: string,
  { body, proof, key }: HookRequest,
  { now, newId }: { now: number; newId: NewId },
): string | undefined {
  if ('bearer' in proof) {
    if (!isSame(proof.bearer, secret)) return undefined;
    return key === undefined ? newId('fir') : `key ${key}`;
  }
  const at = Number(proof.timestamp) * 1_000;
  if (!/^\d{1,12}$/.test(proof.timestamp) || Math.abs(now - at) > windowMs) return undefined;
  const signature = proof.signature.replace(/^sha256=/, '');
  const content = `${proof.timestamp}.${body}`;
  const expected = signatureOf(secret, content);
  if (isSame(signature, expected)) return `signed ${expected}`;
  // no content without a key begins like this: the digits of a timestamp end with a full stop
  return key !== undefined && isSame(signature, signatureOf(secret, `${key.length}:${key}:${content}`))
    ? `key ${key}`
    : undefined;
}

/** What proves that who has the secret said this: HMAC-SHA256 in hexadecimal, as webhooks are signed in both directions. */
export function signatureOf(secret: string, content: string): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

/** In constant time: both sides are hashed, so neither content nor length can be timed. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Values of a program are data: in a message they are shown without markup. */
function filled(template: string, { body, kind }: { body: string; kind: Hook['kind'] }): string {
  const value = tryJson(body);
  const safe = (text: string): string =>
    kind === 'prompt' ? text : text.replace(/[\\`*_~[\]<>|#@]/g, (sign) => `\\${sign}`);
  return template.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, path: string) => {
    if (path === 'body') return safe(body);
    const found = path
      .split('.')
      .reduce<unknown>(
        (at, name) =>
          typeof at === 'object' && at !== null && Object.hasOwn(at, name)
            ? Reflect.get(at, name)
            : undefined,
        value,
      );
    return found === undefined ? '' : safe(typeof found === 'string' ? found : JSON.stringify(found));
  });
}
