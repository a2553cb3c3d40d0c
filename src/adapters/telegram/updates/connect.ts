// The first words with Telegram: who the bot is, and a webhook out of the way. Tries until Telegram answers or refuses.
import type { ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import { type Client, forGrammy } from '#adapters/telegram/calls/client.ts';
import type { BotSelf } from '#adapters/telegram/codecs/text-codec.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { retry, unlessAborted } from '#base/waiting/retry.ts';

const backoff = { firstMs: 500, capMs: 30_000 };

interface Introduction {
  client: Client;
  sink: Sink;
  clock: Clock;
  log: Log;
  explain(error: unknown): ChannelFailure;
}

/** The bot's id and name; undefined when the signal aborts first; rejects only when Telegram refuses the token. */
export async function connectBot(options: Introduction, signal: AbortSignal): Promise<BotSelf | undefined> {
  const { client, sink, clock, log, explain } = options;
  const met = retry(
    { clock, pauses: backoff, signal },
    async () => {
      const { id, username } = await client.api.getMe(forGrammy(signal));
      const { url } = await client.api.getWebhookInfo(forGrammy(signal));
      // Messages that wait are for us: dropping them would lose what was written while Parley was down.
      if (url) await client.api.deleteWebhook({ drop_pending_updates: false }, forGrammy(signal));
      return { id, username };
    },
    (error, { attempt, waitMs }) => {
      const { kind, words, retryAfterMs = waitMs } = explain(error);
      if (kind === 'auth') throw error;
      log.warn({ channel: 'telegram', attempt, waitMs: retryAfterMs, kind, words }, 'start failed');
      sink.report('connecting', words);
      return retryAfterMs;
    },
  );
  return unlessAborted(signal, met);
}
