// `npm run chaos -- --schedules`: kills the program at random over reminders, recurring jobs and webhooks, in bad conditions.
// Each firing has to be sent once: on Telegram also as often as sends of unknown outcome allow, and labelled then.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { configFileName } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { makeFaultProfile } from '../harness/fault-profile.ts';
import { freePort } from '../harness/free-port.ts';
import { createLoadUsers } from '../harness/load-users.ts';
import { lookAt } from '../harness/look.ts';
import { startProgram } from '../harness/program.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { settled } from '../harness/settled.ts';
import { openStage, type Stage } from '../harness/stage.ts';
import { type Death, unknownSends } from '../harness/unknown-sends.ts';
import { faultsAfter } from './aftermath.ts';
import { createAgenda, type Due } from './agenda.ts';
import { type FiringRow, scheduleVerdict } from './schedule-verdict.ts';

export interface SchedulesPlan {
  /** Firings that are made, recurring jobs not among them. */
  firings: number;
  kills: number;
  seed: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Messages that make the bot known in each chat. */
const greetings = 12;
/** A message may come so late over kills, rates and backoffs. */
const withinMs = 240_000;

/** Plays it; resolves with the exit code. The last line is JSON. */
export async function schedulesChaos(plan: SchedulesPlan): Promise<number> {
  const port = await freePort();
  const stage = await openStage({ port });
  allowMany(stage);
  const random = createRandom(plan.seed);
  const users = createLoadUsers(stage, random);
  const start = () => startProgram(stage.folder, stage.environment);
  const deaths: Death[] = [];
  const ending = new AbortController();
  let program = start();
  try {
    print(`chaos with schedules, seed ${plan.seed}: ${plan.firings} firings, ${plan.kills} kills`);
    await program.ready;
    await users.greet(greetings);
    await settled(stage, users, { signal: AbortSignal.timeout(withinMs) });
    const agenda = createAgenda({ url: `http://127.0.0.1:${port}`, chats: chatsIn(stage.home), random });
    await agenda.prepare();
    const { over, injected } = makeFaultProfile({
      ...{ stage, users, random: createRandom(plan.seed + 1), calm: 250 },
      signal: ending.signal,
    });
    const strike = async (): Promise<void> => {
      for (let kill = 0; kill < plan.kills; kill += 1) {
        // some of them while it starts
        if (random.chance(0.8)) await program.ready;
        await systemClock.sleep(random.int(100, 4_000));
        const stoppedAt = Date.now();
        await program.kill();
        deaths.push({ stoppedAt, killedAt: Date.now() });
        await systemClock.sleep(random.int(0, 1_500));
        program = start();
        process.stdout.write('x');
      }
    };
    await Promise.all([strike(), makeAll(plan, agenda.make, random)]);
    ending.abort();
    await over;
    await program.ready;
    await agenda.finish();
    const atRest = await arrived(stage, agenda.made);
    const exitCode = await program.stop();
    print('');
    const telegram = stage.taps.telegram.calls;
    const receipts = lookAt(stage.home)?.receipts ?? new Set<string>();
    const { faults, summary } = scheduleVerdict({
      ...{ made: agenda.made, existed: stage.existed(), atRest, exitCode },
      ...{ rows: rowsIn(stage.home), unknown: unknownSends(telegram, { receipts, deaths }).length },
    });
    const others = await faultsAfter(stage.home, []);
    const all = [...faults, ...others];
    for (const fault of all.slice(0, 40)) print(`WRONG: ${fault}`);
    if (all.length > 0) {
      print(`What the program said last:\n${program.said()}`);
      print(`Its databases are kept in ${await stage.save(`chaos-schedules-${plan.seed}`)}.`);
    }
    const problems = [...injected.values()].flatMap(Object.values).reduce((sum, count) => sum + count, 0);
    print(
      JSON.stringify({ faults: all.length, ...summary, kills: deaths.length, problems, seed: plan.seed }),
    );
    return all.length === 0 ? 0 : 1;
  } finally {
    ending.abort();
    await program.kill();
    await stage.close();
  }
}

/** The config allows one person more than anyone needs, each minute. */
function allowMany({ folder }: Stage): void {
  const path = join(folder, configFileName);
  const config = JSON.parse(readFileSync(path, 'utf8')); // written by the stage
  writeFileSync(path, JSON.stringify({ ...config, schedules: { perPerson: 10_000, minMinutes: 1 } }));
}

/** Makes everything between the kills, some of it while the program is down: the request is sent again until it is taken. */
async function makeAll(
  { firings, kills }: SchedulesPlan,
  make: () => Promise<void>,
  random: Random,
): Promise<void> {
  const gapMs = (kills * 6_000) / firings;
  for (let count = 0; count < firings; count += 1) {
    await make();
    await systemClock.sleep(random.int(0, Math.ceil(gapMs)));
  }
}

/** True once all of it is in the chats and nothing is left to do. */
async function arrived(stage: Stage, made: readonly Due[]): Promise<boolean> {
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const sight = lookAt(stage.home);
    const left = rowsIn(stage.home).filter(({ isOver }) => !isOver).length;
    const idle = sight !== undefined && sight.waiting + sight.turns + sight.outbox + sight.toArchive === 0;
    const existed = stage.existed();
    const missing = made.some(
      ({ token, recurring }) => !recurring && !existed.some(({ text }) => text.includes(token)),
    );
    if (idle && left === 0 && !missing) return true;
    await systemClock.sleep(300);
  }
  return false;
}

/** The chats where people have talked, with the account that did. */
function chatsIn(home: string): { chat: string; person: string }[] {
  const gateway = new Database(join(home, 'gateway.sqlite'), { readonly: true });
  try {
    return gateway
      .prepare<[], { chat: string; person: string }>(
        "SELECT address AS chat, min(person) AS person FROM inbox WHERE kind = 'message' GROUP BY address ORDER BY address",
      )
      .all();
  } finally {
    gateway.close();
  }
}

function rowsIn(home: string): FiringRow[] {
  const engine = new Database(join(home, 'engine.sqlite'), { readonly: true, timeout: 1_000 });
  const gateway = new Database(join(home, 'gateway.sqlite'), { readonly: true, timeout: 1_000 });
  try {
    const taken = new Map(
      gateway
        .prepare<[], { id: string; state: string; turn: string | null }>(
          'SELECT f.id, f.state, i.turn_id AS turn FROM taken_firings f LEFT JOIN inbox i ON i.id = f.inbox_id',
        )
        .all()
        .map((row) => [row.id, row]),
    );
    return engine
      .prepare<[], Pick<FiringRow, 'id' | 'sourceID' | 'state'> & { settled: number | null }>(
        'SELECT id, source_id AS sourceID, state, settled_at_ms AS settled FROM firings',
      )
      .all()
      .map(({ settled: at, ...row }) => ({
        ...row,
        isOver: at !== null && taken.get(row.id)?.state !== 'open',
        turn: taken.get(row.id)?.turn ?? undefined,
      }));
  } finally {
    engine.close();
    gateway.close();
  }
}
