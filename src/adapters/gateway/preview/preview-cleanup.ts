// Previews that are no part of the final answer: a stream that had rolled over, a text that came out shorter, a message that took no last edit. Removed, never left next to it.
import type { Channel, ChannelFailure } from '#adapters/gateway/channel.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import { fileIn } from '#adapters/gateway/file-part.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { PreviewRow } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';

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

const retry = { firstMs: 500, capMs: 30_000 };
/** Removing is worth less than the next answer in the chat: after this many failures the message stays. */
const maxAttempts = 6;

/** Removes preview messages that the final answer does not use, by the ledger's rows, also after a restart. */
export function createPreviewCleanup({
  ledger,
  limiter,
  clock,
  log,
  signal,
}: PreviewCleanupOptions): PreviewCleanup {
  const takeDown = async (
    channel: Channel,
    { address }: OutboxRow,
    preview: PreviewRow,
  ): Promise<ChannelFailure | undefined> => {
    await limiter.take({ address, act: 'remove', urgency: 'final' }, signal);
    try {
      const nativeID = preview.nativeID ?? (await channel.find?.(address, preview.key, 'preview'))?.nativeID;
      if (nativeID !== undefined) await channel.remove(address, nativeID);
      return undefined;
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      return channel.explain(error);
    }
  };

  const removeOne = async (
    outgoing: OutboxRow,
    connection: Connection,
    preview: PreviewRow,
  ): Promise<void> => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      await connection.ready(signal);
      const failure = await takeDown(connection.channel, outgoing, preview);
      if (failure === undefined || failure.kind === 'gone') return;
      const { kind, words } = failure;
      log.warn(
        { outbox: outgoing.id, preview: preview.ordinal, attempt, kind, words },
        'preview not removed',
      );
      if (kind === 'rate_limit') limiter.hold({ address: outgoing.address, act: 'remove' }, failure);
      else if (kind !== 'transient') return;
      else await clock.sleep(failure.retryAfterMs ?? backoffMs(attempt, retry), signal);
    }
  };

  return {
    async remove({ id, turnID }, connection) {
      const previews = turnID === undefined ? [] : ledger.turns.previews(turnID);
      const outgoing = previews.length === 0 ? undefined : ledger.outbox.get(id); // as it is now: its chat may have moved
      if (turnID === undefined || outgoing === undefined) return;
      for (const preview of previews) {
        const part = outgoing.parts[preview.ordinal];
        const standsAsPart = preview.nativeID === undefined || preview.nativeID === part?.nativeID;
        if (part !== undefined && fileIn(part.part) === undefined && standsAsPart) continue;
        await removeOne(outgoing, connection, preview);
        const forget = (): void => ledger.turns.forgetPreview(turnID, preview.ordinal);
        await ledger.persist(() => ledger.commit(forget, 'written'), signal);
      }
    },
  };
}
