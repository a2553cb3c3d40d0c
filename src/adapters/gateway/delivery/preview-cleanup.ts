// Previews that are no part of the final answer: a stream that had rolled over, a text that came out shorter, a message that took no last edit. Removed, never left next to it.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { createRemoveMessage } from './remove-message.ts';

interface PreviewCleanup {
  /** Removes them once all parts stand; safe to repeat. What the platform refuses to remove stays and is logged. */
  remove(answer: Pick<OutboxRow, 'id' | 'turnID'>, connection: Connection): Promise<void>;
}

interface PreviewCleanupOptions {
  ledger: Ledger;
  limiter: Limiter;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** Removes preview messages that the final answer does not use, by the ledger's rows, also after a restart. */
export function createPreviewCleanup({
  ledger,
  limiter,
  clock,
  log,
  signal,
}: PreviewCleanupOptions): PreviewCleanup {
  const removeMessage = createRemoveMessage({ limiter, clock, log, signal });

  return {
    async remove({ id, turnID }, connection) {
      const previews = turnID === undefined ? [] : ledger.turns.previews(turnID);
      const outgoing = previews.length === 0 ? undefined : ledger.outbox.get(id); // as it is now: its chat may have moved
      if (turnID === undefined || outgoing === undefined) return;
      for (const preview of previews) {
        const part = outgoing.parts[preview.ordinal];
        const standsAsPart = preview.nativeID === undefined || preview.nativeID === part?.nativeID;
        if (part !== undefined && fileIn(part.part) === undefined && standsAsPart) continue;
        const { address } = outgoing;
        const idOf = async (channel: Channel): Promise<string | undefined> =>
          preview.nativeID ?? (await channel.find?.(address, preview.key, 'preview'))?.nativeID;
        await removeMessage(
          connection,
          { address, idOf },
          { what: 'preview', outbox: id, preview: preview.ordinal },
        );
        const forget = (): void => ledger.turns.forgetPreview(turnID, preview.ordinal);
        await ledger.persist(() => ledger.commit(forget, 'written'), signal);
      }
    },
  };
}
