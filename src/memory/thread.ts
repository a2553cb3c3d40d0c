// A thread that works on the memory file beside the program's own: started when it is first needed, and anew when it died. Not what it does.
import { ParleyError } from '#base/errors.ts';
import { createOnDemandThread } from '#base/on-demand-thread.ts';
import type { Answer, Asked, Calls, ThreadData } from './thread-calls.ts';

export interface Thread {
  /** Runs a call in the thread. Rejects with what the thread threw, or with a ParleyError `thread_ended` when it died meanwhile. */
  call<Name extends keyof Calls>(
    name: Name,
    request: Calls[Name]['request'],
    more?: { signal?: AbortSignal | undefined; onNews?: ((news: Calls[Name]['news']) => void) | undefined },
  ): Promise<Calls[Name]['result']>;
  /** True while one runs, or is being started. */
  isUp(): boolean;
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
  let calls = 0;
  const waiting = new Map<number, Waiting>();

  const settleAll = (code: string, message: string): void => {
    for (const one of [...waiting.values()])
      one.settle({ id: 0, kind: 'failure', code, message, cure: undefined });
  };
  const thread = createOnDemandThread<Answer>({
    file: new URL('./worker.ts', import.meta.url),
    data,
    youngMiB,
    idleMs,
    heard(answer) {
      const one = waiting.get(answer.id);
      if (answer.kind === 'news') one?.news(answer.news);
      else one?.settle(answer);
    },
    died: (why) => settleAll('thread_ended', `A thread of the memory ended: ${why}.`),
  });

  return {
    call(name, request, more = {}) {
      const id = calls;
      calls += 1;
      return new Promise((resolve, reject) => {
        const abort = (): void => thread.tell({ id, kind: 'abort' } satisfies Asked);
        waiting.set(id, {
          settle(answer) {
            waiting.delete(id);
            more.signal?.removeEventListener('abort', abort);
            if (waiting.size === 0) thread.rest();
            // the thread runs the call of this name and answers with its result
            if (answer.kind === 'result') resolve(answer.result as Calls[typeof name]['result']);
            else reject(failureOf(answer));
          },
          news: (news) => more.onNews?.(news as Calls[typeof name]['news']),
        });
        thread.ask({ id, kind: 'call', name, request });
        more.signal?.addEventListener('abort', abort, { once: true });
        if (more.signal?.aborted === true) abort();
      });
    },
    isUp: () => thread.isUp(),
    async end() {
      settleAll('memory_closed', 'The memory was closed.');
      await thread.end();
    },
  };
}

function failureOf({ code, message, cure }: Extract<Answer, { kind: 'failure' }>): Error {
  if (code === undefined) return new Error(message);
  if (code.startsWith('SQLITE_')) return Object.assign(new Error(message), { code });
  return new ParleyError(code, message, { cure });
}
