// Models that are called in a separate thread: started when it is first needed, and again when it died.
import { ParleyError } from '#base/errors.ts';
import { createOnDemandThread } from '#base/threads/on-demand-thread.ts';
import type { ModelClient, ModelStreamEvent } from '#engine/providers/calls/model-call.ts';
import { ProviderFailure } from '#engine/providers/calls/provider-failure.ts';
import type { Batch, Failed, ModelWorkerEvent, ModelWorkerRequest } from './calls.ts';
import { add } from './event-batcher.ts';

/** A call as this side sees it: what has come and was not read yet. */
interface Call {
  events: ModelWorkerEvent[];
  /** Something came. */
  wake(): void;
}

/** Room for new objects: pieces of answers live for a moment, and what is taken for them is never given back. */
const youngMiB = 12;

/** The thread; `file` is what runs in it, for tests. It keeps no program alive while nothing is asked. */
export function createModelThread(file: URL = new URL('./worker.ts', import.meta.url)): ModelClient {
  let calls = 0;
  let closed = false;
  const open = new Map<number, Call>();

  const hear = ({ id, events }: Batch[number]): void => {
    const call = open.get(id);
    if (call === undefined) return;
    for (const one of events) add(call.events, one);
    call.wake();
  };
  const endAll = (why: string): void => {
    const failed: Failed = { kind: 'judged', judged: threadEnded(why) };
    for (const id of open.keys()) hear({ id, events: [{ type: 'failed', failed }] });
  };
  const thread = createOnDemandThread<Batch>({
    file,
    youngMiB,
    received: (batch) => batch.forEach(hear),
    died: endAll,
  });

  return {
    async *ask(target, asked, signal) {
      signal.throwIfAborted();
      if (closed) throw new ParleyError('models_closed', 'No more models are asked: the program is ending.');
      const id = calls;
      calls += 1;
      const call: Call = { events: [], wake: () => {} };
      const wake = (): void => call.wake();
      let over = false;
      open.set(id, call);
      signal.addEventListener('abort', wake, { once: true });
      try {
        thread.ask({ kind: 'ask', id, target, asked } satisfies ModelWorkerRequest);
        while (!over) {
          signal.throwIfAborted();
          const next = call.events.shift();
          if (next === undefined)
            await new Promise<void>((resolve) => Object.assign(call, { wake: resolve }));
          else {
            over = next.type === 'end' || next.type === 'failed';
            yield streamEvent(next);
          }
        }
      } finally {
        signal.removeEventListener('abort', wake);
        open.delete(id);
        if (!over) thread.notify({ kind: 'leave', id } satisfies ModelWorkerRequest);
        if (open.size === 0) thread.rest();
      }
    },
    warm() {
      if (!closed) thread.start();
    },
    async close() {
      closed = true;
      endAll('the program is ending');
      await thread.end();
    },
  };
}

/** The news of a call, one after the other; throws the error that ended the call. */
function streamEvent(event: ModelWorkerEvent): ModelStreamEvent {
  if (event.type !== 'failed') return event;
  const { failed } = event;
  if (failed.kind === 'judged') throw new ProviderFailure(failed.judged);
  const { code, message, hint, details } = failed;
  throw new ParleyError(code, message, { hint, details });
}

function threadEnded(why: string) {
  const words = `The thread of the model calls ended: ${why}.`;
  const code = 'PROVIDER_STREAM_BROKEN' as const;
  return { code, words, answer: '', passing: true, retryAfter: {}, details: { words } };
}
