// What a person is shown when a run has ended: the answer, or one plain sentence. Pure.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Run } from '#engine/wire/contract.ts';

export interface Answer {
  markdown: string;
  /** True for a real answer: the engine learns when it is delivered, and archives the exchange. */
  delivered: boolean;
  state: 'answered' | 'failed';
  /** Parts that follow the text: files, or words in their place. */
  files?: readonly MessagePart[] | undefined;
}

/** The text for each end of a run, and below it what else the person has to know; never empty. */
export function answerOf(run: Run, notes: readonly string[], phrases: Phrases): Answer {
  const answer = endOf(run, phrases);
  return { ...answer, markdown: [answer.markdown, ...notes].join('\n\n') };
}

function endOf(run: Run, { answers }: Phrases): Answer {
  switch (run.status) {
    case 'completed':
      return { markdown: run.text, delivered: true, state: 'answered' };
    case 'cancelled':
      return { markdown: withNote(run.text, answers.stopped), delivered: false, state: 'failed' };
    case 'running':
    case 'interrupted':
    case 'error':
    case 'timeout': {
      const { failure } = run;
      const shown =
        failure === undefined
          ? answers.interrupted
          : answers.withReference({ sentence: sentenceOf(failure, answers.failures), ref: failure.ref });
      return { markdown: withNote(run.text, `⚠️ ${shown}`), delivered: false, state: 'failed' };
    }
  }
}

/** The failure for people; one that only a newer engine knows is shown in the engine's words. */
function sentenceOf(
  { code, message }: NonNullable<Run['failure']>,
  failures: Readonly<Record<string, string>>,
): string {
  return Object.hasOwn(failures, code) ? (failures[code] ?? message) : message;
}

function withNote(text: string, note: string): string {
  return text.trim() === '' ? note : `${text.trimEnd()}\n\n${note}`;
}
