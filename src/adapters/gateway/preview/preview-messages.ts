// The messages of one preview: what stands, what it shows, and what was begun without a known outcome. Makes no calls.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Clock } from '#base/clock.ts';

/** A part that its message does not show yet. `unknown`: begun, and nobody knows whether the platform has it. */
export type Changed =
  | { standing: 'none' | 'unknown'; ordinal: number; part: MessagePart }
  | { standing: 'posted'; ordinal: number; part: MessagePart; nativeID: string };

export interface PreviewMessages {
  key(ordinal: number): string;
  /** The parts that look different from what is shown, in order. */
  changed(parts: readonly MessagePart[]): Changed[];
  /** Commits that the message is about to be posted; resolves with its send key after the commit. */
  intend(ordinal: number): Promise<string>;
  posted(ordinal: number, nativeID: string): Promise<void>;
  /** The message that was intended was certainly not posted: nothing has to be settled. */
  refused(): Promise<void>;
  shows(ordinal: number, part: MessagePart): void;
  /** Whether a message is there that shows exactly this. */
  exists(ordinal: number, part: MessagePart): boolean;
  /** Ordinal of the message after the last that stands. */
  next(): number;
  /** Whether any message exists or may exist. */
  any(): boolean;
  /** Whether a message was intended and is not known to stand. */
  pending(): boolean;
}

/** The send key of a turn's preview; at most 25 characters (Discord's limit of a nonce). */
function previewKey(turnID: string, ordinal: number): string {
  return `p${turnID.slice(-20)}${ordinal.toString(36)}`;
}

/** The preview messages of a turn, as the ledger has them; includes those of an earlier process. */
export function createPreviewMessages(
  turnID: string,
  { turns, commit }: Pick<Ledger, 'turns' | 'commit'>,
  clock: Clock,
): PreviewMessages {
  const standing = new Map(turns.previews(turnID).map((row) => [row.ordinal, row.nativeID]));
  const faces = new Map<number, string>();
  const faceOf = (part: MessagePart): string => JSON.stringify(part.body);
  let intended: number | undefined;

  const changedPart = (part: MessagePart, ordinal: number): Changed => {
    const nativeID = standing.get(ordinal);
    if (nativeID !== undefined) return { standing: 'posted', ordinal, part, nativeID };
    return { standing: standing.has(ordinal) ? 'unknown' : 'none', ordinal, part };
  };

  return {
    key: (ordinal) => previewKey(turnID, ordinal),
    changed: (parts) =>
      parts.flatMap((part, ordinal) =>
        faces.get(ordinal) === faceOf(part) ? [] : [changedPart(part, ordinal)],
      ),
    async intend(ordinal) {
      const key = previewKey(turnID, ordinal);
      await commit(() => turns.intendPreview(turnID, { ordinal, key }), 'on disk');
      intended = ordinal;
      return key;
    },
    async posted(ordinal, nativeID) {
      await commit(() => turns.previewPosted(turnID, { ordinal, nativeID, at: clock.now() }), 'written');
      standing.set(ordinal, nativeID);
      intended = undefined;
    },
    async refused() {
      const refused = intended;
      if (refused !== undefined) await commit(() => turns.forgetPreview(turnID, refused), 'written');
      intended = undefined;
    },
    shows(ordinal, part) {
      faces.set(ordinal, faceOf(part));
    },
    exists: (ordinal, part) => standing.get(ordinal) !== undefined && faces.get(ordinal) === faceOf(part),
    next: () => standing.size,
    any: () => standing.size > 0,
    pending: () => intended !== undefined,
  };
}
