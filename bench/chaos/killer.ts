// Kills the program again and again, starts it again each time, and notes what each kill interrupted.
import { systemClock } from '#base/clock.ts';
import type { Crowd } from '../stage/crowd.ts';
import { lookAt, type Sight } from '../stage/look.ts';
import { type Program, startProgram } from '../stage/program.ts';
import type { Random } from '../stage/random.ts';
import type { Stage } from '../stage/stage.ts';
import { type Aim, aims, takeAim } from './aims.ts';

/** What a kill can fall into; one kill can fall into several. */
export const windows = [
  'while starting',
  'accepted, not begun',
  'accepted, not confirmed',
  'run under way',
  'preview under way',
  'send begun, no effect yet',
  'sent, no receipt',
  'received, not archived',
  'nothing under way',
] as const;
export type Window = (typeof windows)[number];

export interface Killer {
  kills: number;
  /** When each kill was. */
  times: readonly number[];
  hits: ReadonlyMap<Window, number>;
  program(): Program;
  /** One kill of this kind and the start after it. */
  kill(): Promise<void>;
}

export interface KillerOptions {
  stage: Stage;
  crowd: Crowd;
  random: Random;
  /** Resolves when the next message was said. */
  said: () => Promise<void>;
}

/** A first program that is being started, and the hand that ends it. */
export function createKiller(options: KillerOptions): Killer {
  const { stage, random, said } = options;
  const hits = new Map<Window, number>();
  const times: number[] = [];
  const start = (): Program => startProgram(stage.folder, stage.environment);
  let program = start();
  let connected = 'no' as 'yes' | 'no';
  const note = (now: Program): void => {
    void now.ready.then(
      () => {
        if (now === program) connected = 'yes';
      },
      () => undefined,
    );
  };
  note(program);

  const killer = {
    kills: 0,
    times,
    hits,
    program: () => program,
    async kill() {
      const aim: Aim = random.pick(aims);
      if (aim !== 'while it starts') await orSoon(program.ready);
      const moment = await takeAim(aim, { stage, random, said });
      await untilNoSecondDeath(stage.home);
      const sight = lookAt(stage.home);
      times.push(Date.now());
      await program.kill();
      killer.kills += 1;
      for (const window of windowsOf(lookAt(stage.home) ?? sight, connected, options)) {
        hits.set(window, (hits.get(window) ?? 0) + 1);
      }
      moment.release();
      await systemClock.sleep(random.int(0, 400));
      connected = 'no';
      program = start();
      note(program);
    },
  };
  return killer;
}

const readyMs = 15_000;

/** Until the program is connected, at most for a while: under faults that may take its time. */
async function orSoon(ready: Promise<void>): Promise<void> {
  const late = new AbortController();
  await Promise.race([ready, systemClock.sleep(readyMs, late.signal).catch(() => undefined)]);
  late.abort();
}

/**
 * A run that died is begun again once; a second death is told in words, and then the message is answered, but not as this
 * account wants it. So a run that is being done over is let through.
 */
async function untilNoSecondDeath(home: string): Promise<void> {
  const until = Date.now() + 20_000;
  while (Date.now() < until) {
    const sight = lookAt(home);
    if (sight?.running.some((key) => sight.diedOnce.has(key)) !== true) return;
    await systemClock.sleep(20);
  }
}

/** Sends older than this belong to earlier kills. */
const recentMs = 4_000;

function windowsOf(sight: Sight | undefined, connected: 'yes' | 'no', options: KillerOptions): Window[] {
  const { stage } = options;
  const found: Window[] = connected === 'no' ? ['while starting'] : [];
  if (sight !== undefined) {
    const since = Date.now() - recentMs;
    const done = Object.values(stage.taps)
      .flatMap(({ calls }) => calls.filter(({ kind, askedAt }) => kind === 'send' && askedAt >= since))
      .some(({ effect, messageID = '' }) => effect === 'done' && !sight.receipts.has(messageID));
    if (sight.waiting > 0) found.push('accepted, not begun');
    if (unconfirmed(sight, options)) found.push('accepted, not confirmed');
    if (sight.running.length > 0) found.push('run under way');
    if (sight.previews > 0) found.push('preview under way');
    if (sight.sending > 0 && !done) found.push('send begun, no effect yet');
    if (sight.sending > 0 && done) found.push('sent, no receipt');
    if (sight.toArchive > 0) found.push('received, not archived');
  }
  return found.length === 0 ? ['nothing under way'] : found;
}

/** Telegram still has more updates than there are messages that the inbox lacks. */
function unconfirmed(sight: Sight, { stage, crowd }: KillerOptions): boolean {
  const missing = crowd.sent.filter(
    ({ platform, id }) => platform === 'telegram' && !sight.accepted.has(`telegram ${id}`),
  );
  return stage.pendingUpdates() > missing.length;
}
