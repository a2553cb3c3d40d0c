// A batch of messages as one prompt: what was written, by which person, where. Pure.

import type { Correction } from '#adapters/gateway/ledger/inbox/corrections.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { LaneSettings } from '#adapters/gateway/ledger/turns/lane-settings.ts';
import type { Recallable } from '#adapters/gateway/readers/reading.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Quoted } from '#adapters/gateway/terms/inbound.ts';
import type { MessageAudience } from '#adapters/gateway/terms/message-audience.ts';
import type { Profile } from '#adapters/gateway/terms/profiles.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import {
  asWords,
  continuedPart,
  correctionNote,
  deletedNote,
  forwardNote,
  lateNote,
  outsideNote,
  reactionNote,
  replyNote,
  scheduledNote,
  sharedNote,
} from '#engine/wire/channels/notes.ts';
import type { PromptBody, PromptPart } from '#engine/wire/runs/prompt.ts';
import type { AttachedFile } from './attached-file.ts';
import { isLate } from './late.ts';
import type { EarlierNote } from './thread-history.ts';

const quotedLimit = 4_000;
/** A forward may be all that a person sends, so that more of it is given than of a quotation. */
const forwardedLimit = 20_000;
const maxShared = 10;
/** An alert or the preview of a page may be all that there is to talk about. */
const sharedLimit = 4_000;
const messageLimit = 100_000;
/** The newest corrections are given; older ones were followed by these. */
const maxCorrections = 10;

/** Builds the engine's prompt for a turn. `batch` has at least one message, all of one lane and one person. */
export function promptBodyOf(
  batch: readonly [InboxRow, ...InboxRow[]],
  from: {
    /** Of the batch: restricted when one of its messages is. */
    place: MessageAudience;
    recallable: Recallable;
    corrections: readonly Correction[];
    /** The assistant that answers; the usual one when absent. */
    assistant: string | undefined;
    /** What was chosen for the chat. */
    settings: LaneSettings;
    /** What there is in the channel. */
    profile: Profile;
    /** Notes on what went before in the thread, with those of its files that are shown. */
    earlier: readonly (Pick<EarlierNote, 'nativeID' | 'note'> & { attached?: readonly AttachedFile[] })[];
    /** Notes on what was just said in the room. */
    roomContext: readonly string[];
    /** Files by message. */
    files: ReadonlyMap<string, AttachedFiles>;
  },
): PromptBody {
  const [first] = batch;
  const { event, address, person } = first;
  const { place } = from;
  const single = from.profile.memory === 'chat-only';
  const space = single ? undefined : place.space;
  return {
    parts: [
      ...from.earlier.map(({ nativeID, note, attached = [] }) => ({
        ...textPart([note, ...attached.map((file) => file.note)].join('\n')),
        nativeID,
      })),
      ...correctionTexts(from.corrections).map(textPart),
      ...batch.flatMap((row) => messageParts(row, from.files.get(row.id) ?? noFiles)),
      // behind the person's own, which come first where not all fit
      ...from.earlier.flatMap(({ nativeID, attached = [] }) => partsOf(attached, nativeID)),
    ],
    ...(from.settings.model === undefined ? {} : { model: { modelID: from.settings.model } }),
    ...defined({ agent: from.assistant }),
    ...settingsOf(batch, from.settings),
    ...(from.profile.tools === undefined ? {} : { toolAllowlist: [...from.profile.tools] }),
    ...(from.roomContext.length === 0 ? {} : { roomContext: [...from.roomContext] }),
    canAsk: true,
    origin: {
      platform: address.platform,
      chat: formatAddress(address),
      kind: address.kind,
      audience: place.audience,
      ...(space === undefined ? {} : { space }),
      restricted: single || place.restricted,
      speaker: defined({ person, name: event.actor.name, zone: event.actor.zone }),
      ...(single ? { reach: { audiences: [], spaces: [] }, outsiders: true } : from.recallable),
      nativeIDs: batch.map(nativeOf),
      at: first.writtenAt,
    },
  };
}

/** How the run is answered: nobody waits for what a schedule asks, and a look into memory is for people. */
function settingsOf(
  batch: readonly InboxRow[],
  { voice, activeMemory }: LaneSettings,
): Pick<PromptBody, 'settings'> {
  const looks = activeMemory !== false && batch.some(({ event }) => event.due === undefined);
  if (voice !== true && looks) return {};
  return { settings: { ...(voice === true && { spoken: true }), ...(!looks && { activeMemory: false }) } };
}

function correctionTexts(corrections: readonly Correction[]): string[] {
  const notes = corrections
    .slice(-maxCorrections)
    .map((one) =>
      'author' in one
        ? correctionNote(one.author)
        : reactionNote(one.reaction.name, one.reaction.emoji, one.to),
    );
  return notes.length === 0 ? [] : [notes.join('\n')];
}

const textPart = (text: string): PromptPart => ({ type: 'text', text });

/** The platform's id of a message, also of one that is answered once more. */
const nativeOf = ({ event }: InboxRow): string => event.retryOf ?? event.nativeID;

/** The files of a message, and of the one that it answers. */
export interface AttachedFiles {
  own: readonly AttachedFile[];
  quoted: readonly AttachedFile[];
}

const noFiles: AttachedFiles = { own: [], quoted: [] };

function partsOf(files: readonly AttachedFile[], nativeID: string): PromptPart[] {
  return files.flatMap(({ part }) => (part === undefined ? [] : [{ ...part, nativeID }]));
}

/** One message with what it points at and what came with it; what others wrote is marked as quoted, not as said. */
function messageParts(row: InboxRow, files: AttachedFiles): PromptPart[] {
  const { text, quoted, shared, due, paste } = row.event;
  const nativeID = nativeOf(row);
  if (row.deletedAt !== undefined) return [{ ...textPart(deletedNote), nativeID }];
  const about = quoted === undefined ? [] : quotedNotes(quoted);
  // what a message answers goes when that message does; what a person passes on is theirs
  const quotes = quoted?.forwarded === true ? [] : [...about, ...files.quoted.map(({ note }) => note)];
  const lines: string[] = isLate(row) ? [lateNote(row.writtenAt)] : [];
  if (quoted?.forwarded === true) lines.push(...about);
  if (due?.by === 'schedule') lines.push(scheduledNote);
  const written = asWords(truncate(text, messageLimit));
  if (text.trim() !== '')
    lines.push(due?.by === 'hook' ? outsideNote(due.name, truncate(text, messageLimit)) : written);
  lines.push(...(shared ?? []).slice(0, maxShared).map((what) => sharedNote(truncate(what, sharedLimit))));
  lines.push(...files.own.flatMap(({ spoken }) => (spoken === undefined ? [] : asWords(spoken))));
  lines.push(...files.own.map(({ note }) => note));
  const answered = quoted?.nativeID || nativeID;
  const words = lines.join('\n') || '[an empty message]';
  return [
    ...(quotes.length === 0 ? [] : [{ ...textPart(quotes.join('\n')), nativeID: answered }]),
    { ...textPart(paste?.after === undefined ? words : continuedPart(paste.after, words)), nativeID },
    ...partsOf(files.own, nativeID),
    ...partsOf(files.quoted, answered),
  ];
}

function quotedNotes({ text, author, fromBot, forwarded }: Quoted): string[] {
  if (text === undefined || text.trim() === '') return [];
  const whose = fromBot ? 'your message' : `a message of ${author ?? 'someone'}`;
  return forwarded === true
    ? [forwardNote(whose, truncate(text, forwardedLimit))]
    : [replyNote(whose, truncate(text, quotedLimit))];
}
