// The other side of `createCallThread`: runs in a thread what it is asked, and answers. Not what the calls do.
import { parentPort } from 'node:worker_threads';
import type { Answer, Asked, Calls } from './call-thread.ts';
import { codeOf, cureOf, wordsOf } from './errors.ts';

export type AskedCall<All extends Calls> = Extract<Asked<All>, { kind: 'call' }>;

export interface Under {
  /** Aborts when nobody waits for the call any more. */
  signal: AbortSignal;
  /** Tells the one who asked. */
  tell(news: unknown): void;
  /** Whether no other call is under way. */
  isAlone(): boolean;
}

/** Answers each call with what `run` gives or throws. To be called once in a thread. */
export function answerCalls<All extends Calls>(run: (asked: AskedCall<All>, under: Under) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('Expected to run in a thread.');
  const running = new Map<number, AbortController>();
  const answer = (what: Answer): void => port.postMessage(what);

  const answered = async (asked: AskedCall<All>): Promise<void> => {
    const { id } = asked;
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const tell = (news: unknown): void => answer({ id, kind: 'news', news });
      const isAlone = (): boolean => running.size === 1;
      answer({ id, kind: 'result', result: await run(asked, { signal: stop.signal, tell, isAlone }) });
    } catch (error) {
      const cure = cureOf(error);
      answer({ id, kind: 'failure', code: codeOf(error), message: wordsOf(error), cure });
    } finally {
      running.delete(id);
    }
  };
  port.on('message', (asked: Asked<All>) => {
    if (asked.kind === 'abort') running.get(asked.id)?.abort();
    else void answered(asked);
  });
}
