// How long nasty Markdown takes compared with plain text of the same size, shape by shape and platform by platform.
import { renderDiscord } from '#adapters/text/discord.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { nastyShapes } from './nasty.ts';
import { sampleAnswers } from './samples.ts';

/** What takes a text; a preview is made of it again and again while it is written. */
export const renderers: Readonly<Record<string, (source: string) => unknown>> = {
  discord: renderDiscord,
  telegram: renderTelegram,
  slack: renderSlack,
  preview: (source) => renderDiscord(healUnfinished(source)),
};

export interface NastyFigures {
  name: string;
  /** Milliseconds by renderer. */
  ms: Record<string, number>;
  /** The largest number of times that it takes of plain text's time, over the renderers. */
  times: number;
}

/** Rounds for plain text, which everything is compared with. */
const plainRounds = 100;

/**
 * The figures of each shape at this size, worst first; `plain` are those of plain text. Measured is the thread's own processor time,
 * the best of some rounds: what else runs on the machine only ever adds to it. A shape above `bound` gets more rounds.
 */
export function measureNasty(options: { size: number; bound: number; only?: readonly string[] }): {
  plain: Record<string, number>;
  shapes: NastyFigures[];
} {
  const { size, bound, only = Object.keys(renderers) } = options;
  const used = Object.entries(renderers).filter(([name]) => only.includes(name));
  const [plainText = ''] = sampleAnswers('plain', { count: 1, size });
  for (const [, render] of used) took(plainRounds, () => render(plainText));
  const plain = Object.fromEntries(
    used.map(([name, render]) => [name, took(plainRounds, () => render(plainText))]),
  );
  const shapes = nastyShapes().map(({ name, make }): NastyFigures => {
    const source = make(size);
    const ms: Record<string, number> = {};
    let times = 0;
    for (const [renderer, render] of used) {
      const unit = plain[renderer] ?? 1;
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 2 || (round < 6 && best > bound * unit); round += 1)
        best = Math.min(
          best,
          took(1, () => render(source)),
        );
      ms[renderer] = best;
      times = Math.max(times, best / unit);
    }
    return { name, ms, times };
  });
  return { plain, shapes: shapes.sort((a, b) => b.times - a.times) };
}

/** Milliseconds that a round takes on average; the system counts in steps of some milliseconds. */
function took(rounds: number, work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / rounds;
}
