// Reading all chats again and again, for accounts without an app token. Deletions cannot be seen this way.
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { fatalError } from '#adapters/slack/calls/fatal.ts';
import type { Clock } from '#base/clock.ts';
import { backoffMs } from '#base/waiting/async.ts';
import type { HistoryReader } from './reader.ts';

interface PollingOptions {
  clock: Clock;
  reader: HistoryReader;
  sink: Sink;
  /** Time between two rounds; longer with many chats. */
  pollMs: number;
}

const backoff = { firstMs: 1000, capMs: 30_000 };
/** Chats read in one `pollMs`: with its 3 s, 50 calls a minute, which is Slack's tier 3. */
const chatsPerRound = 2.5;

/** Runs until the signal aborts; rejects only with a fatal error. */
export async function runPolling(options: PollingOptions, signal: AbortSignal): Promise<void> {
  const { clock, reader, sink, pollMs } = options;
  let failures = 0;
  try {
    for (let ready = false; !signal.aborted; ) {
      try {
        await reader.prepare(signal);
        const chats = reader.chats();
        await reader.round(signal);
        if (!ready) sink.report('ready');
        ready = true;
        failures = 0;
        sink.alive();
        await clock.sleep(pollMs * Math.max(1, chats / chatsPerRound), signal);
      } catch (error) {
        if (signal.aborted) return;
        const fatal = fatalError(error);
        if (fatal !== undefined) throw fatal;
        failures += 1;
        ready = false;
        sink.report('reconnecting', explain(error).words);
        await clock.sleep(backoffMs(failures, backoff), signal);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
