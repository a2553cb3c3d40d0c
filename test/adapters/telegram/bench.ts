// A channel, a sandbox and a sink together, all of them ended with the test.
import type { TestContext } from 'node:test';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { createTelegramChannel, type TelegramChannelOptions } from '#adapters/telegram/channel.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { createLog } from '#base/log/log.ts';
import {
  createTelegramSandbox,
  type TelegramSandbox,
  type TelegramSandboxOptions,
} from '#sandbox/telegram/server.ts';
import { createMemorySink, type MemorySink } from './memory-sink.ts';

export interface Bench {
  sandbox: TelegramSandbox;
  sink: MemorySink;
  channel: Channel;
  /** Everything that was logged, one line each. */
  logged: string[];
  /** Runs a channel (the bench's own unless set otherwise); `stop` resolves when its run has. */
  start(channel?: Channel): { stop(): Promise<void>; ended: Promise<void> };
  /** Another channel for the same bot. */
  again(options?: Partial<TelegramChannelOptions>): Channel;
}

export interface BenchOptions extends Partial<TelegramSandboxOptions> {
  /** The channel's clock; the sandbox has its own. */
  channelClock?: Clock | undefined;
  token?: string | undefined;
}

export async function createBench(t: TestContext, options: BenchOptions = {}): Promise<Bench> {
  const sandbox = await createTelegramSandbox({ clock: systemClock, ...options });
  const sink = createMemorySink();
  const logged: string[] = [];
  const log = createLog({ level: 'debug', mask: (text) => text, write: (line) => logged.push(line) });
  const stops: (() => Promise<void>)[] = [];
  const again: Bench['again'] = (extra = {}) =>
    createTelegramChannel({
      token: sandbox.tokens.bot,
      apiUrl: sandbox.url,
      clock: options.channelClock ?? systemClock,
      log,
      ...extra,
    });
  const channel = again();
  t.after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await sandbox.close();
  });
  return {
    sandbox,
    sink,
    channel,
    logged,
    again,
    start(which = channel) {
      const over = new AbortController();
      const ended = which.run(sink, over.signal);
      // A run that fails is looked at through `ended`; this only keeps it from being unhandled before.
      const settled = ended.catch(() => undefined);
      const stop = async (): Promise<void> => {
        over.abort();
        await settled;
      };
      stops.push(stop);
      return { stop, ended };
    },
  };
}
