// Messages that an earlier attempt may have posted: looked for on the platform before anything is posted once more.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxPart, OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { type Channel, settledMs } from '#adapters/gateway/terms/channel.ts';
import type { Clock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import { isFinal, isFindable, isIdempotent } from './instead.ts';

export interface FindPosted {
  /** An earlier attempt has no known outcome: its message if it can be found, else the part is marked as a possible repeat. */
  settleUnknown(outgoing: OutboxRow, part: OutboxPart, channel: Channel): Promise<string | undefined>;
  /** The message of this part's preview, if one exists; a preview whose outcome is unknown is looked for. */
  previewMessage(outgoing: OutboxRow, part: OutboxPart, channel: Channel): Promise<string | undefined>;
  /** Only the first part of an answer is a reply; the others are where they would otherwise stand in another place. */
  replyToOf(outgoing: OutboxRow, ordinal: number): string | undefined;
}

/** Looks on the platform for a message whose send had an unknown outcome; `commit` stores what it finds. */
export function createFindPosted({
  ledger,
  clock,
  signal,
  commit,
}: {
  ledger: Ledger;
  clock: Clock;
  signal: AbortSignal;
  commit: (work: () => void) => Promise<void>;
}): FindPosted {
  /** The message with this key, looked for until the platform must have made it if it ever does. */
  const findSettled = async (
    channel: Channel,
    { address, key, kind }: { address: Address; key: string; kind: 'part' | 'preview' },
  ): Promise<string | undefined> => {
    if (channel.find === undefined) return undefined;
    const found = await channel.find(address, key, kind);
    if (found !== undefined) return found.nativeID;
    await clock.sleep(settledMs, signal);
    return (await channel.find(address, key, kind))?.nativeID;
  };

  const replyToOf = ({ replyTo, address }: OutboxRow, ordinal: number): string | undefined => {
    if (ordinal === 0 || replyTo === undefined) return replyTo;
    return ledger.inbox.find(address, replyTo)?.event.inReplies === true ? replyTo : undefined;
  };

  return {
    replyToOf,
    async settleUnknown(outgoing, part, channel) {
      const agoMs = clock.now() - outgoing.createdAt; // its first attempt was not before that
      if (part.preview?.nativeID !== undefined || isIdempotent(part.part, channel, agoMs)) return undefined;
      if (isFindable(part.part, channel)) {
        try {
          return await findSettled(channel, { address: outgoing.address, key: part.key, kind: 'part' });
        } catch (error) {
          if (isAbort(error, signal) || !isFinal(channel.explain(error))) throw error; // else it may not be looked for here
        }
      }
      await commit(() => ledger.outbox.mayRepeat(outgoing.id, part.ordinal));
      return undefined;
    },
    async previewMessage(outgoing, { preview, part, ordinal }, channel) {
      const { address } = outgoing;
      if (preview === undefined || preview.nativeID !== undefined) return preview?.nativeID;
      if (channel.caps.idempotentSend) {
        const replyTo = replyToOf(outgoing, ordinal);
        return (await channel.send(address, part, { key: preview.key, replyTo, signal })).nativeID;
      }
      const found = await findSettled(channel, { address, key: preview.key, kind: 'preview' });
      // a preview that another turn has on record is not this one's, whatever the platform thinks
      return found !== undefined && ledger.turns.ownsPreview(address, found) ? undefined : found;
    },
  };
}
