// Calls to a thread by name, each with one result: what is said between the two, seen from the program.
import { ParleyError } from '#base/errors.ts';
import { createOnDemandThread } from './on-demand-thread.ts';

/** What a thread can be asked: by the name of the call its request, its result and what it reports before its result. */
export type Calls<Names extends string = string> = Record<
  Names,
  { request: unknown; result: unknown; news: unknown }
>;

export type ThreadRequest<All extends Calls> =
  | {
      [Name in keyof All]: { id: number; kind: 'call'; name: Name; request: All[Name]['request'] };
    }[keyof All]
  | { id: number; kind: 'abort' };

export type ThreadAnswer =
  | { id: number; kind: 'result'; result: unknown }
  | { id: number; kind: 'news'; news: unknown }
  | {
      id: number;
      kind: 'failure';
      code: string | undefined;
      message: string;
      hint: string | undefined;
    };

export interface CallThread<All extends Calls> {
  /** Runs a call in the thread. Rejects with what the thread threw, or with a ParleyError `thread_ended` when it died before the answer. */
  call<Name extends keyof All>(
    name: Name,
    request: All[Name]['request'],
    more?: { signal?: AbortSignal | undefined; onNews?: ((news: All[Name]['news']) => void) | undefined },
  ): Promise<All[Name]['result']>;
  /** True while one runs, or is being started. */
  isUp(): boolean;
  /** Milliseconds of processor that the one that runs has used; 0 where none runs. */
  cpuMs(): Promise<number>;
  /** Bytes that the one that runs has outside of its heap, in buffers; 0 where none runs. */
  bytesOutside(): Promise<number>;
  /** Ends it, with what it has in progress. */
  end(): Promise<void>;
}

interface Waiting {
  settle(answer: Exclude<ThreadAnswer, { kind: 'news' }>): void;
  // what a call reports goes to the caller of that call
  news(news: unknown): void;
}

interface CallThreadOptions {
  file: URL;
  data?: unknown;
  /** As of `createOnDemandThread`. */
  youngMiB: number;
  oldMiB?: number | undefined;
  idleMs?: number | undefined;
  /** Names it where it ended: `A thread of the memory`. */
  what: string;
  /** With what calls fail that are in progress when it is ended from here. */
  ended: { code: string; message: string };
}

/** A thread over a file that answers with `answerCalls`; nothing is started before the first call. */
export function createCallThread<All extends Calls>(options: CallThreadOptions): CallThread<All> {
  const { what, ended, ...rest } = options;
  let calls = 0;
  const waiting = new Map<number, Waiting>();

  const settleAll = (code: string, message: string): void => {
    for (const one of [...waiting.values()])
      one.settle({ id: 0, kind: 'failure', code, message, hint: undefined });
  };
  const thread = createOnDemandThread<ThreadAnswer>({
    ...rest,
    received(answer) {
      const one = waiting.get(answer.id);
      if (answer.kind === 'news') one?.news(answer.news);
      else one?.settle(answer);
    },
    died: (why) => settleAll('thread_ended', `${what} ended: ${why}.`),
  });

  return {
    call(name, request, more = {}) {
      const id = calls;
      calls += 1;
      return new Promise((resolve, reject) => {
        const abort = (): void => thread.notify({ id, kind: 'abort' });
        // first, since no thread can be started while too many files are open
        thread.ask({ id, kind: 'call', name, request });
        waiting.set(id, {
          settle(answer) {
            waiting.delete(id);
            more.signal?.removeEventListener('abort', abort);
            if (waiting.size === 0) thread.rest();
            // the thread runs the call of this name and answers with its result
            if (answer.kind === 'result') resolve(answer.result as All[typeof name]['result']);
            else reject(failureOf(answer));
          },
          news: (news) => more.onNews?.(news as All[typeof name]['news']),
        });
        more.signal?.addEventListener('abort', abort, { once: true });
        if (more.signal?.aborted === true) abort();
      });
    },
    isUp: () => thread.isUp(),
    cpuMs: thread.cpuMs,
    bytesOutside: thread.bytesOutside,
    async end() {
      settleAll(ended.code, ended.message);
      await thread.end();
    },
  };
}

function failureOf({ code, message, hint }: Extract<ThreadAnswer, { kind: 'failure' }>): Error {
  if (code === undefined) return new Error(message);
  if (code.startsWith('SQLITE_')) return Object.assign(new Error(message), { code });
  return new ParleyError(code, message, { hint });
}
