// When a preview begins: with the first words of the answer, with what is done before it, or with a notice after a silent minute.

import { type MonotonicMs, msSince } from '#base/clock.ts';
import type { createWaker } from '#base/waiting/async.ts';
import type { PreviewDraft } from './posted-preview.ts';
import type { PreviewOptions } from './preview-types.ts';

type Waker = ReturnType<typeof createWaker>;

/** So does one that is complete so soon after its first words, however long the model thought before. */
const wordsAloneMs = 250;
/** An answer without a word for this long looks forgotten: typing indicators are small, and some chats have none. */
const silentMs = 60_000;

/** Nothing is looked at for longer than this without a new text. */
const longestWaitMs = 60_000;

interface FirstWords {
  /** Resolves with what there is to show first. */
  wait(): Promise<'answer' | 'notice' | 'progress'>;
  /** The answer has this text now. */
  grew(text: string): void;
  /** While a person's answer is waited for, nobody is told that it is still worked on. */
  rest(waits: boolean): void;
}

/**
 * Decides when a preview begins: with the first words of the answer, with its progress, or with a notice after a silent minute. Each
 * change wakes `waker`; `isBegun` is true once a message is in the chat.
 */
export function createFirstWords(
  { notices, clock }: Pick<PreviewOptions, 'notices' | 'clock'>,
  {
    draft,
    waker,
    ended,
    isBegun,
  }: { draft: PreviewDraft; waker: Waker; ended: AbortSignal; isBegun: () => boolean },
): FirstWords {
  let wordsSince: MonotonicMs | undefined;
  let silentSince = clock.monotonic();
  let resting = false;
  return {
    async wait() {
      while (wordsSince === undefined) {
        if (draft.progress !== undefined) return 'progress';
        const isQuiet = resting || !notices || isBegun();
        const left = isQuiet ? longestWaitMs : silentMs - msSince(clock, silentSince);
        if (left <= 0) return 'notice';
        await waker.wait(clock, left, ended);
      }
      await clock.sleep(wordsAloneMs - msSince(clock, wordsSince), ended);
      return 'answer';
    },
    grew(text) {
      if (wordsSince === undefined && text.trim() !== '') wordsSince = clock.monotonic();
    },
    rest(waits) {
      resting = waits;
      silentSince = clock.monotonic();
    },
  };
}
