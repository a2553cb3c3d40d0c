// The Discord account as the gateway's contract has it: the pieces of this folder, put together. No logic of its own.
import type { Channel } from '#adapters/gateway/channel.ts';
import { renderDiscord } from '#adapters/text/discord.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError, wordsOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { checkDiscord } from './check.ts';
import { explain } from './explain.ts';
import { openFile } from './open-file.ts';
import { createOutbound } from './outbound.ts';
import { createReceiver } from './receive.ts';
import { createRest } from './rest.ts';
import { superviseConnection } from './supervise.ts';

export interface DiscordChannelOptions {
  token: string;
  /** Base of the REST API, without the version; Discord's own when absent. The gateway's URL comes from there. */
  apiUrl?: string | undefined;
  clock: Clock;
  log: Log;
  /** A connection that is not ready for this long is replaced; 60 s by default. */
  readyTimeoutMs?: number | undefined;
}

/** A message's edits share a bucket of usually five in five seconds. */
const editGapMs = 1200;

/** A channel over discord.js; nothing is connected before `run`, while sends work without it. */
export function createDiscordChannel(options: DiscordChannelOptions): Channel {
  const { token, apiUrl, clock, log, readyTimeoutMs = 60_000 } = options;
  const rest = createRest({ token, apiUrl });
  return {
    platform: 'discord',
    caps: {
      editGapMs: { dm: editGapMs, group: editGapMs, channel: editGapMs },
      typingMs: 10_000,
      idempotentSend: true,
    },
    async run(sink, signal) {
      const over = new AbortController();
      const running = AbortSignal.any([signal, over.signal]);
      const receiver = createReceiver({ sink, rest, clock, log, signal: running });
      sink.report('connecting');
      try {
        await superviseConnection(
          {
            token,
            apiUrl,
            clock,
            log,
            readyTimeoutMs,
            packet(packet) {
              sink.alive();
              receiver.packet(packet);
            },
            ready(client) {
              receiver.ready(client);
              sink.report('ready', client.user.username);
            },
            reconnecting: (detail) => sink.report('reconnecting', detail),
            alive: () => sink.alive(),
          },
          running,
        );
        sink.report('stopped');
      } catch (error) {
        const cure = error instanceof ParleyError ? error.cure : undefined;
        sink.report('failed', [wordsOf(error), cure].filter((words) => words !== undefined).join(' '));
        throw error;
      } finally {
        over.abort();
        await receiver.idle();
      }
    },
    render: (markdown) => renderDiscord(markdown),
    ...createOutbound(rest),
    open: (file, limitBytes, signal) => openFile(rest, { file, limitBytes, signal }),
    explain,
    check: () => checkDiscord(rest),
  };
}
