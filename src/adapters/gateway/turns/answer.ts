// What a person is shown when a run has ended: the answer, or one plain sentence. Pure.
import type { MessagePart } from '#adapters/text/part.ts';
import type { Run } from '#engine/wire/contract.ts';

export interface Answer {
  markdown: string;
  /** True for a real answer: the engine is shown when it exists, and archives the exchange. */
  delivered: boolean;
  state: 'answered' | 'failed';
  /** Parts that follow the text: files, or words in their place. */
  files?: readonly MessagePart[] | undefined;
}

/** The words for each end of a run, and below them what else the person has to know; never empty. */
export function answerOf(run: Run, notes: readonly string[]): Answer {
  const answer = endOf(run);
  return { ...answer, markdown: [answer.markdown, ...notes].join('\n\n') };
}

function endOf(run: Run): Answer {
  switch (run.status) {
    case 'completed':
      return { markdown: run.text, delivered: true, state: 'answered' };
    case 'cancelled':
      return { markdown: withNote(run.text, '(stopped)'), delivered: false, state: 'failed' };
    case 'running':
    case 'interrupted':
    case 'error':
    case 'timeout': {
      const sentence =
        run.failure?.message ?? 'I was interrupted before I could answer; please send that again.';
      const reference = run.failure === undefined ? '' : ` (reference ${run.failure.ref})`;
      return { markdown: withNote(run.text, `⚠️ ${sentence}${reference}`), delivered: false, state: 'failed' };
    }
  }
}

function withNote(text: string, note: string): string {
  return text.trim() === '' ? note : `${text.trimEnd()}\n\n${note}`;
}
