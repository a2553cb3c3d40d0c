// What happens to the links and the wall clocks of both processes, at random: late, cut, silent, twice, and hours too early or too late. Not kills.

import { systemClock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { ClockFiles } from '../harness/clock-files.ts';
import type { Harm } from '../harness/link.ts';
import { type LinkName, type Links, linkNames } from '../harness/links.ts';
import type { Random } from '../harness/random.ts';

export interface LinkProblems {
  /** How often each harm was done to each kind of link, and how often each clock was moved. */
  done: ReadonlyMap<string, number>;
  /** Resolves when no more is done. */
  over: Promise<void>;
}

type Kind = Harm['kind'] | 'outage';

const kinds: Readonly<Record<'engine' | 'calls' | 'socket' | 'model', readonly [Kind, ...Kind[]]>> = {
  engine: [
    'late',
    'late',
    'cut',
    'silent',
    'answer cut',
    'answer cut',
    'answer silent',
    'twice',
    'twice',
    'outage',
  ],
  // no network delivers a call to a platform twice by itself; a lost answer makes the program ask again
  calls: ['late', 'late', 'cut', 'silent', 'answer cut', 'answer cut', 'answer silent', 'outage'],
  socket: ['late', 'late', 'cut', 'silent', 'outage'],
  // of an answer that breaks off in the middle the person is told, which is no loss, but not what this account wants
  model: ['late'],
};
/** The engine's link is the one that is Parley's own. */
const drawn: readonly [LinkName, ...LinkName[]] = ['engine', 'engine', 'engine', ...linkNames];
const betweenMs = { least: 50, most: 600 };
/** Least time between two breaks of a socket: one that is cut at once, always, hears nothing. */
const betweenSocketBreaksMs = 12_000;
const betweenClocksMs = { least: 2_000, most: 9_000 };
const furthestMs = 2 * 3_600_000;

/** Does one harm after another until the signal aborts; then every clock and every new connection is well again. */
export function startLinkProblems(options: {
  links: Links;
  clocks: ClockFiles;
  random: Random;
  signal: AbortSignal;
}): LinkProblems {
  const { links, clocks, random, signal } = options;
  const done = new Map<string, number>();
  const count = (what: string): void => void done.set(what, (done.get(what) ?? 0) + 1);
  const brokenAt = new Map<LinkName, number>();

  const strike = (): void => {
    const name = random.pick(drawn);
    const kind = random.pick(kinds[rowOf(name)]);
    if (rowOf(name) === 'socket' && kind !== 'late') {
      if (Date.now() - (brokenAt.get(name) ?? 0) < betweenSocketBreaksMs) return;
      brokenAt.set(name, Date.now());
    }
    const link = links.of[name];
    if (kind === 'outage') {
      link.goSilent(systemClock.sleep(random.int(500, 6_000), signal).catch(() => undefined));
    } else {
      const harm: Harm = kind === 'late' || kind === 'twice' ? { kind, ms: random.int(0, 3_000) } : { kind };
      if (!link.harm(harm, (number) => random.int(0, Math.max(0, number - 1)))) return;
    }
    count(`${rowOf(name)}: ${kind}`);
  };

  const move = async (): Promise<void> => {
    const name = random.pick(['engine', 'channels']);
    const offsetMs = random.chance(0.2) ? 0 : random.int(-furthestMs, furthestMs);
    await clocks.move(name, offsetMs);
    count(`clock of the ${name}`);
  };

  const again = async (pauseMs: { least: number; most: number }, work: () => void | Promise<void>) => {
    for (;;) {
      await systemClock.sleep(random.int(pauseMs.least, pauseMs.most), signal);
      await work();
    }
  };
  const untilOver = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!isAbort(error, signal)) throw error;
    });
  const over = Promise.all([
    untilOver(again(betweenMs, strike)),
    untilOver(again(betweenClocksMs, move)),
  ]).then(() => undefined);
  return { done, over };
}

function rowOf(name: LinkName): keyof typeof kinds {
  if (name === 'engine' || name === 'model') return name;
  return name.endsWith('Socket') ? 'socket' : 'calls';
}
