// Tells the page that something changed, over SSE.
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createWaker, isAbort, type Waker } from '#base/waiting/async.ts';
import type { SandboxServer } from './contract.ts';

/** Changes within this time after an event are one event. */
const coalesceMs = 50;
/** A comment after this much silence keeps the connection from being taken for dead. */
const silenceMs = 15_000;
const streamsLimit = 64;

interface ChangeEvents {
  revision(): number;
  /** `change` with `{"revision":N}`, at once and after changes; throws `too_many_streams` above 64 open ones. */
  stream(c: Context): Response;
}

/** Counts the servers' changes until `signal` aborts, and streams the count to every listener. */
export function createChangeEvents(options: {
  servers: readonly SandboxServer[];
  clock: Clock;
  signal?: AbortSignal | undefined;
}): ChangeEvents {
  const { clock, signal } = options;
  const wakers = new Set<Waker>();
  let revision = 0;
  const changed = () => {
    revision += 1;
    for (const waker of wakers) waker.wake();
  };
  const stops = options.servers.map((server) => server.onChange(changed));
  const stopAll = () => {
    for (const stop of stops) stop();
  };
  signal?.addEventListener('abort', stopAll, { once: true });

  async function notify(stream: SSEStreamingApi, waker: Waker, over: AbortSignal): Promise<void> {
    for (let sentSeq = -1; ; ) {
      over.throwIfAborted();
      if (sentSeq === revision) await stream.write(': still here\n\n');
      else {
        sentSeq = revision;
        await stream.writeSSE({ event: 'change', data: JSON.stringify({ revision: sentSeq }) });
        await clock.sleep(coalesceMs, over);
      }
      if (sentSeq === revision) await waker.wait(clock, silenceMs, over);
    }
  }

  return {
    revision: () => revision,
    stream(c) {
      if (wakers.size >= streamsLimit)
        throw new ParleyError('too_many_streams', `At most ${streamsLimit} event streams may be open.`, {
          hint: 'Close a page or a client that still listens.',
        });
      return streamSSE(c, async (stream) => {
        const gone = new AbortController();
        const over = signal === undefined ? gone.signal : AbortSignal.any([gone.signal, signal]);
        const waker = createWaker();
        stream.onAbort(() => gone.abort());
        wakers.add(waker);
        try {
          await notify(stream, waker, over);
        } catch (error) {
          if (!isAbort(error, over)) throw error;
        } finally {
          wakers.delete(waker);
        }
      });
    },
  };
}
