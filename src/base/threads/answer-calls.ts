// The other side of `createCallThread`: runs in a thread what it is asked, and answers.
import { parentPort } from 'node:worker_threads';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { useInheritedProxy } from '#base/network/proxy.ts';
import type { Calls, ThreadAnswer, ThreadRequest } from './call-thread.ts';

type RequestedCall<All extends Calls> = Extract<ThreadRequest<All>, { kind: 'call' }>;

export interface Under {
  /** Aborts when nobody waits for the call any more. */
  signal: AbortSignal;
  /** Tells the caller something before the result. */
  notify(news: unknown): void;
  /** Whether no other call is in progress. */
  isAlone(): boolean;
}

/** Answers each call with what `run` gives or throws. To be called once in a thread. */
export function answerCalls<All extends Calls>(
  run: (asked: RequestedCall<All>, under: Under) => unknown,
): void {
  const port = parentPort;
  if (port === null) throw new Error('Expected to run in a thread.');
  useInheritedProxy();
  const running = new Map<number, AbortController>();
  const answer = (what: ThreadAnswer): void => port.postMessage(what);

  const answered = async (asked: RequestedCall<All>): Promise<void> => {
    const { id } = asked;
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const notify = (news: unknown): void => answer({ id, kind: 'news', news });
      const isAlone = (): boolean => running.size === 1;
      answer({ id, kind: 'result', result: await run(asked, { signal: stop.signal, notify, isAlone }) });
    } catch (error) {
      const hint = hintOf(error);
      answer({ id, kind: 'failure', code: codeOf(error), message: errorMessage(error), hint });
    } finally {
      running.delete(id);
    }
  };
  port.on('message', (asked: ThreadRequest<All>) => {
    if (asked.kind === 'abort') running.get(asked.id)?.abort();
    else void answered(asked);
  });
}
