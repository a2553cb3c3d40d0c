// What a person is told when a run has ended: the answer, or one plain sentence. Pure.
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
      return { markdown: withNotices(run, answers), delivered: true, state: 'answered' };
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
          : answers.withReference({ sentence: sentenceOf(failure, answers), ref: failure.ref });
      return { markdown: withNote(run.text, `⚠️ ${shown}`), delivered: false, state: 'failed' };
    }
  }
}

/** The failure for people; one that only a newer engine knows is shown in the engine's words. */
function sentenceOf(
  { code, message, waitMs, tokens, window, silence }: NonNullable<Run['failure']>,
  answers: Phrases['answers'],
): string {
  if (code === 'RATE_LIMIT_EXCEEDED' && waitMs !== undefined) return answers.tooManyRequests({ waitMs });
  if (code === 'CONTEXT_LENGTH_EXCEEDED' && tokens !== undefined && window !== undefined)
    return answers.longerThanWindow({ tokens, window });
  if (silence !== undefined) {
    const seconds = silence.ms / 1000;
    return silence.awaited === 'continue' ? answers.wentSilent({ seconds }) : answers.neverBegan({ seconds });
  }
  const failures: Readonly<Record<string, string>> = answers.failures;
  return Object.hasOwn(failures, code) ? (failures[code] ?? message) : message;
}

/** The answer, and a line for each thing to know about it. */
function withNotices({ text, notices = [] }: Run, answers: Phrases['answers']): string {
  return notices.map((notice) => `_(${noticeText(notice, answers)})_`).reduce(withNote, text);
}

function noticeText(
  { code, files = [] }: NonNullable<Run['notices']>[number],
  answers: Phrases['answers'],
): string {
  switch (code) {
    case 'cut':
      return answers.cutOff;
    case 'filtered':
      return answers.withheld;
    case 'no pictures':
      return answers.picturesUnseen({ files: named(files) });
    case 'fewer pictures':
      return answers.picturesTooMany({ files: named(files) });
    case 'unreadable':
      return answers.picturesUnreadable({ files: named(files) });
    case 'no history':
      return answers.withoutHistory;
  }
}

/** File names as code, so that none of their characters is markup. */
function named(files: readonly string[]): string[] {
  return files.map((name) => `\`${name.replaceAll('`', "'")}\``);
}

function withNote(text: string, note: string): string {
  return text.trim() === '' ? note : `${text.trimEnd()}\n\n${note}`;
}
