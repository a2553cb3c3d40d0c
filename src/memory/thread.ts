// A thread that works on the memory file beside the program's own: started when it is first needed, and anew when it died. Not what it does.
import { Worker } from 'node:worker_threads';
import { ParleyError } from '#base/errors.ts';
import { threadEnvironment } from '#base/thread-environment.ts';
import type { Answer, Asked, Calls, ThreadData } from './thread-calls.ts';

export interface Thread {
  /** Runs a call in the thread. Rejects with what the thread threw, or with a ParleyError `thread_ended` when it died meanwhile. */
  call<Name extends keyof Calls>(
    name: Name,
    request: Calls[Name]['request'],
    more?: { signal?: AbortSignal | undefined; onNews?: ((news: Calls[Name]['news']) => void) | undefined },
  ): Promise<Calls[Name]['result']>;
  /** Ends it, with what it has under way. */
  end(): Promise<void>;
}

interface Waiting {
  settle(answer: Exclude<Answer, { kind: 'news' }>): void;
  // what a call tells of itself is told to who asked for that call
  news(news: unknown): void;
}

/** Room for new objects: more of it makes the program larger and hardly faster. */
const youngMiB = 32;

/** A thread for one file; nothing is started before the first call, and it ends when it had nothing to do for `idleMs`. */
export function createThread(data: ThreadData, idleMs?: number): Thread {
  let worker: Worker | undefined;
  let calls = 0;
  let idle: NodeJS.Timeout | undefined;
  const waiting = new Map<number, Waiting>();

  const gone = (of: Worker, why: string): void => {
    if (worker !== of) return;
    worker = undefined;
    const left = [...waiting.values()];
    waiting.clear();
    const failure = { code: 'thread_ended', message: `A thread of the memory ended: ${why}.` };
    for (const one of left) one.settle({ id: 0, kind: 'failure', ...failure, cure: undefined });
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: data,
      env: threadEnvironment(),
      resourceLimits: { maxYoungGenerationSizeMb: youngMiB },
    });
    started.on('message', (answer: Answer) => {
      const one = waiting.get(answer.id);
      if (answer.kind === 'news') one?.news(answer.news);
      else one?.settle(answer);
    });
    started.on('error', (error) => gone(started, error instanceof Error ? error.message : String(error)));
    started.on('exit', (code) => gone(started, `exit code ${code}`));
    return started;
  };

  /** Nothing is under way: the program may end, and after a while the thread does. */
  const rest = (of: Worker): void => {
    of.unref();
    if (worker !== of || idleMs === undefined) return;
    idle = setTimeout(() => {
      worker = undefined;
      void of.terminate();
    }, idleMs);
    idle.unref();
  };

  return {
    call(name, request, more = {}) {
      worker ??= start();
      const [to, id] = [worker, calls];
      calls += 1;
      clearTimeout(idle);
      return new Promise((resolve, reject) => {
        const abort = (): void => to.postMessage({ id, kind: 'abort' } satisfies Asked);
        waiting.set(id, {
          settle(answer) {
            waiting.delete(id);
            more.signal?.removeEventListener('abort', abort);
            if (waiting.size === 0) rest(to);
            // the thread runs the call of this name and answers with its result
            if (answer.kind === 'result') resolve(answer.result as Calls[typeof name]['result']);
            else reject(failureOf(answer));
          },
          news: (news) => more.onNews?.(news as Calls[typeof name]['news']),
        });
        to.ref();
        to.postMessage({ id, kind: 'call', name, request });
        more.signal?.addEventListener('abort', abort, { once: true });
        if (more.signal?.aborted === true) abort();
      });
    },
    async end() {
      clearTimeout(idle);
      const ending = worker;
      worker = undefined;
      for (const one of [...waiting.values()])
        one.settle({
          id: 0,
          kind: 'failure',
          code: 'memory_closed',
          message: 'The memory was closed.',
          cure: undefined,
        });
      await ending?.terminate();
    },
  };
}

function failureOf({ code, message, cure }: Extract<Answer, { kind: 'failure' }>): Error {
  if (code === undefined) return new Error(message);
  if (code.startsWith('SQLITE_')) return Object.assign(new Error(message), { code });
  return new ParleyError(code, message, { cure });
}
