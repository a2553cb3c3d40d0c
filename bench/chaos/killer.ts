// Kills the program again and again, starts it again each time, and notes what each kill interrupted.
import { systemClock } from '#base/clock.ts';
import type { LoadUsers } from '../harness/load-users.ts';
import type { Sight } from '../harness/look.ts';
import type { Program } from '../harness/program.ts';
import type { Random } from '../harness/random.ts';
import type { Stage } from '../harness/stage.ts';
import type { Death } from '../harness/unknown-sends.ts';
import { createAims, type Moment, takeAim } from './aims.ts';
import type { Window } from './windows.ts';

export interface Killer {
  kills: number;
  deaths: readonly Death[];
  hits: ReadonlyMap<Window, number>;
  program(): Program;
  /** One kill of the next kind and the start after it. */
  kill(): Promise<void>;
}

export interface KillerOptions {
  stage: Stage;
  users: LoadUsers;
  random: Random;
  /** Starts the program. */
  start: () => Program;
  /** What its databases say. */
  look: () => Sight | undefined;
  /** Resolves when the next message was written. */
  said: () => Promise<void>;
}

/** A first program that is being started, and the hand that ends it. */
export function createKiller(options: KillerOptions): Killer {
  const { random, start, look } = options;
  const hits = new Map<Window, number>();
  const deaths: Death[] = [];
  const nextAim = createAims(random);
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

  /** The moment of the next aim, with the program standing still in it. */
  const caught = async (): Promise<{ moment: Moment; stoppedAt: number }> => {
    const aim = nextAim();
    for (;;) {
      if (aim !== 'while it starts') await orSoon(program.ready);
      const moment = await takeAim(aim, options);
      const stoppedAt = await standStill(program, moment.state, options);
      if (stoppedAt !== undefined) return { moment, stoppedAt };
      await moment.release();
    }
  };

  const killer = {
    kills: 0,
    deaths,
    hits,
    program: () => program,
    async kill() {
      const { moment, stoppedAt } = await caught();
      const before = look();
      deaths.push({ stoppedAt, killedAt: Date.now() });
      await program.kill();
      killer.kills += 1;
      for (const window of windowsOf(look() ?? before, connected, options)) {
        hits.set(window, (hits.get(window) ?? 0) + 1);
      }
      await moment.release();
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

/** How long a wanted state is looked for; then any will do. An archive takes a few milliseconds, and is looked for longer. */
const stateMs = { any: 8_000, unconfirmed: 8_000, archiving: 15_000 };
/** The program has to get on between two looks, also on a busy machine. */
const betweenStopsMs = { any: 60, unconfirmed: 60, archiving: 25 };
/** How long what is held is held at most: the program may wait for it. */
const holdMs = 16_000;

/**
 * Stops the program and looks, again and again, until it stands still in the wanted state. A run that dies is begun again;
 * past a number of deaths the person is told so, and then the message is answered, but not as this account wants it. So a
 * turn in its last attempt is let through. Resolves with the time at which it was stopped first, or undefined when no
 * moment was good.
 */
async function standStill(
  program: Program,
  state: Moment['state'],
  options: KillerOptions,
): Promise<number | undefined> {
  const since = Date.now();
  let firstStop: number | undefined;
  const look = (): 'good' | 'bad' => {
    const sight = options.look();
    const wanted = Date.now() < since + stateMs[state] ? state : 'any';
    return sight === undefined || (sight.lastAttempts === 0 && isIn(wanted, sight, options)) ? 'good' : 'bad';
  };
  while (Date.now() < since + holdMs) {
    // an archive is over too soon to be seen while the program runs
    if (state === 'archiving' || look() === 'good') {
      firstStop ??= Date.now();
      program.pause();
      await systemClock.sleep(2); // a signal takes its time
      if (look() === 'good') return firstStop;
      program.goOn();
      await systemClock.sleep(betweenStopsMs[state]);
    } else await systemClock.sleep(30);
  }
  return undefined;
}

function isIn(state: Moment['state'], sight: Sight, options: KillerOptions): boolean {
  switch (state) {
    case 'any':
      return true;
    case 'archiving':
      return sight.toArchive > 0;
    case 'unconfirmed':
      return unconfirmed(sight, options);
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
      .flatMap(({ calls }) =>
        calls.filter(({ kind, requestedAt }) => kind === 'send' && requestedAt >= since),
      )
      .some(({ effect, messageID = '' }) => effect === 'done' && !sight.receipts.has(messageID));
    if (sight.waiting > 0) found.push('accepted, not begun');
    if (unconfirmed(sight, options)) found.push('accepted, not confirmed');
    if (sight.running.length > 0) found.push('run in progress');
    if (sight.previews > 0) found.push('preview in progress');
    if (sight.sending > 0 && !done) found.push('send begun, no effect yet');
    if (sight.sending > 0 && done) found.push('sent, no receipt');
    if (sight.toArchive > 0) found.push('received, not archived');
  }
  return found.length === 0 ? ['nothing in progress'] : found;
}

/** Telegram still has more updates than there are messages that the inbox lacks. */
function unconfirmed(sight: Sight, { stage, users }: KillerOptions): boolean {
  const missing = users.sent.filter(
    ({ platform, id }) => platform === 'telegram' && !sight.accepted.has(`telegram ${id}`),
  );
  return stage.pendingUpdates() > missing.length;
}
