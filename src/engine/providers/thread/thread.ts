// Models that are asked in a thread of their own: started when it is first needed, and anew when it died. Not what it does.
import { Worker } from 'node:worker_threads';
import { ParleyError } from '#base/errors.ts';
import { threadEnvironment } from '#base/thread-environment.ts';
import { ProviderFailure } from '#engine/providers/provider-failure.ts';
import type { Models, Told } from '#engine/providers/told.ts';
import type { Batch, Failed, Order, Said } from './calls.ts';
import { add } from './gather.ts';

/** A call as this side sees it: what has come and was not read yet. */
interface Call {
  said: Said[];
  /** Something came. */
  wake(): void;
}

/** The thread; `file` is what runs in it, for tests. It keeps no program alive while nothing is asked. */
export function createModelThread(file: URL = new URL('./worker.ts', import.meta.url)): Models {
  let worker: Worker | undefined;
  let calls = 0;
  let closed = false;
  const open = new Map<number, Call>();

  const hear = ({ id, said }: Batch[number]): void => {
    const call = open.get(id);
    if (call === undefined) return;
    for (const one of said) add(call.said, one);
    call.wake();
  };
  const gone = (of: Worker, why: string): void => {
    if (worker !== of) return;
    worker = undefined;
    const failed: Failed = { kind: 'judged', judged: threadEnded(why) };
    for (const id of open.keys()) hear({ id, said: [{ type: 'failed', failed }] });
  };
  const start = (): Worker => {
    const started = new Worker(file, { env: threadEnvironment() });
    started.on('message', (batch: Batch) => batch.forEach(hear));
    started.on('error', (error) => gone(started, error instanceof Error ? error.message : String(error)));
    started.on('exit', (code) => gone(started, `exit code ${code}`));
    started.unref();
    return started;
  };

  return {
    async *ask(target, asked, signal) {
      signal.throwIfAborted();
      if (closed) throw new ParleyError('models_closed', 'No more models are asked: the program is ending.');
      worker ??= start();
      const [to, id] = [worker, calls];
      calls += 1;
      const call: Call = { said: [], wake: () => {} };
      const wake = (): void => call.wake();
      const post = (order: Order): void => to.postMessage(order);
      let over = false;
      open.set(id, call);
      to.ref();
      signal.addEventListener('abort', wake, { once: true });
      try {
        post({ kind: 'ask', id, target, asked });
        while (!over) {
          signal.throwIfAborted();
          const next = call.said.shift();
          if (next === undefined)
            await new Promise<void>((resolve) => Object.assign(call, { wake: resolve }));
          else {
            over = next.type === 'end' || next.type === 'failed';
            yield told(next);
          }
        }
      } finally {
        signal.removeEventListener('abort', wake);
        open.delete(id);
        if (!over) post({ kind: 'leave', id });
        if (open.size === 0) to.unref();
      }
    },
    warm() {
      if (!closed) worker ??= start();
    },
    async close() {
      closed = true;
      const ending = worker;
      if (ending === undefined) return;
      gone(ending, 'the program is ending');
      await ending.terminate();
    },
  };
}

/** What can be told on; throws what ended the call. */
function told(said: Said): Told {
  if (said.type !== 'failed') return said;
  const { failed } = said;
  if (failed.kind === 'judged') throw new ProviderFailure(failed.judged);
  throw new ParleyError(failed.code, failed.message, { cure: failed.cure });
}

function threadEnded(why: string) {
  const words = `The thread of the model calls ended: ${why}.`;
  const code = 'PROVIDER_STREAM_BROKEN' as const;
  return { code, words, passing: true, retryAfter: {}, details: { words } };
}
