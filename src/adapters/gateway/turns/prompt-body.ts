// A batch of messages as one prompt: what was said, by whom, where. Pure.
import { type Address, formatAddress } from '#adapters/gateway/address.ts';
import type { Correction } from '#adapters/gateway/ledger/corrections.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Reach } from '#adapters/gateway/ledger/people.ts';
import { truncate } from '#base/text.ts';
import { correctionNote, lateNote, replyNote } from '#engine/wire/notes.ts';
import type { PromptBody, PromptPart } from '#engine/wire/prompt.ts';
import type { AttachedFile } from './attached-files.ts';
import { placeOf } from './lane.ts';
import { isLate } from './late.ts';

const quotedLimit = 1_000;
const messageLimit = 100_000;
const correctedLimit = 8_000;
/** The newest corrections are told; older ones were followed by these. */
const mostCorrections = 10;

/** The prompt of a turn; `batch` is not empty and of one lane and one person; `home` is its address before any move. */
export function promptBodyOf(
  batch: readonly [InboxRow, ...InboxRow[]],
  from: {
    home: Address;
    reach: Reach;
    corrections: readonly Correction[];
    /** Files by message. */
    files: ReadonlyMap<string, readonly AttachedFile[]>;
  },
): PromptBody {
  const [first] = batch;
  const { event, address, person } = first;
  const place = placeOf(event, person, from.home);
  return {
    parts: [
      ...correctionTexts(from.corrections).map(textPart),
      ...batch.flatMap((row) => messageParts(row, from.files.get(row.id) ?? [])),
    ],
    origin: {
      platform: address.platform,
      chat: formatAddress(address),
      kind: address.kind,
      audience: place.audience,
      ...(place.space === undefined ? {} : { space: place.space }),
      restricted: place.restricted,
      speaker: { person, name: event.actor.name },
      reach: from.reach,
      nativeIDs: batch.map((row) => row.event.nativeID),
      at: first.saidAt,
    },
  };
}

function correctionTexts(corrections: readonly Correction[]): string[] {
  const notes = corrections
    .slice(-mostCorrections)
    .map(({ author, was, now }) =>
      correctionNote(author, { was: truncate(was, quotedLimit), now: truncate(now, correctedLimit) }),
    );
  return notes.length === 0 ? [] : [notes.join('\n')];
}

const textPart = (text: string): PromptPart => ({ type: 'text', text });

/** One message with what it points at and what came with it; what others wrote is marked as quoted, not as said. */
function messageParts(row: InboxRow, files: readonly AttachedFile[]): PromptPart[] {
  const { text, quoted } = row.event;
  const lines: string[] = isLate(row) ? [lateNote(row.saidAt)] : [];
  if (quoted?.text !== undefined && quoted.text.trim() !== '') {
    const author = quoted.fromBot ? 'your message' : `a message of ${quoted.author ?? 'someone'}`;
    lines.push(replyNote(author, truncate(quoted.text, quotedLimit)));
  }
  if (text.trim() !== '') lines.push(truncate(text, messageLimit));
  lines.push(...files.map(({ note }) => note));
  return [textPart(lines.join('\n') || '[an empty message]'), ...files.flatMap(({ part }) => part ?? [])];
}
