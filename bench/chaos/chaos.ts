// `npm run chaos`: kills the program again and again in bad weather, and accounts for every message. The last line is JSON.
import { randomInt } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { accountFor, type Outcome } from '../stage/account.ts';
import { type Crowd, createCrowd } from '../stage/crowd.ts';
import { readFlags } from '../stage/flags.ts';
import { archivesIn, lookAt } from '../stage/look.ts';
import { createRandom } from '../stage/random.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { countsTable, troubleTable } from '../stage/table.ts';
import { makeWeather } from '../stage/weather.ts';
import { createKiller, type Killer, windows } from './killer.ts';

interface Plan {
  messages: number;
  kills: number;
  seed: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Plays the plan; resolves with the exit code. */
async function chaos(plan: Plan): Promise<number> {
  const limitMs = 90_000 + plan.messages * 500 + plan.kills * 8_000;
  const stage = await openStage();
  const startedAt = Date.now();
  const until = startedAt + limitMs;
  const ending = new AbortController();
  const crowd = createCrowd(stage, createRandom(plan.seed));
  const listeners = new Set<() => void>();
  const said = (): Promise<void> =>
    new Promise((resolve) => {
      const once = (): void => {
        listeners.delete(once);
        resolve();
      };
      listeners.add(once);
    });
  const killer = createKiller({ stage, crowd, random: createRandom(plan.seed + 0x10000), said });
  try {
    print(`chaos, seed ${plan.seed}: ${plan.messages} messages, ${plan.kills} kills`);
    await killer.program().ready;
    await crowd.greet(plan.messages);
    await settled({ stage, crowd, killer, until });
    const random = createRandom(plan.seed + 0x20000);
    const weather = makeWeather({ stage, crowd, random, calm: 250, signal: ending.signal });
    const pace = createRandom(plan.seed + 0x30000);
    const progress = createProgress(plan);
    /** Messages are spread between the kills, some of them said while the program is down. */
    const talk = async (): Promise<void> => {
      while (crowd.sent.length < plan.messages && Date.now() < until) {
        const ahead = crowd.sent.length / plan.messages > (killer.kills + 1) / (plan.kills + 1);
        if (ahead) await systemClock.sleep(20);
        else {
          await crowd.say();
          progress.message(crowd.sent.length);
          for (const listener of [...listeners]) listener();
          await systemClock.sleep(pace.chance(0.3) ? pace.int(0, 30) : pace.int(30, 300));
        }
      }
    };
    const blows = async (): Promise<void> => {
      while (killer.kills < plan.kills && Date.now() < until) {
        await killer.kill();
        progress.kill(killer.kills);
      }
    };
    await Promise.all([talk(), blows()]);
    ending.abort();
    await weather.over;
    const inTime = await settled({ stage, crowd, killer, until });
    progress.end(Math.round((Date.now() - startedAt) / 1000));
    const code = await killer.program().stop();
    const outcome = outcomeOf(stage, crowd);
    if (!inTime) outcome.faults.push(`not everything was done within the time limit of ${limitMs / 1000} s`);
    if (code !== 0) outcome.faults.push(`told to stop, the program ended with code ${code}`);
    const unknown = unknownSends(stage, killer);
    if (outcome.duplicated.telegram > unknown)
      outcome.faults.push(
        `Telegram has ${outcome.duplicated.telegram} duplicates for ${unknown} unknown sends`,
      );
    for (const line of troubleTable(weather.injected, stage.taps)) print(line);
    for (const line of countsTable('kills that fell', windows, killer.hits)) print(line);
    for (const fault of outcome.faults.slice(0, 40)) print(`WRONG: ${fault}`);
    if (outcome.faults.length > 0) {
      print(`What the program said last:\n${killer.program().said()}`);
      const { cpSync } = await import('node:fs');
      cpSync(stage.folder, `/tmp/keep-${plan.seed}`, { recursive: true });
    }
    print(summary(plan, outcome, { unknown, killer, stage }));
    return outcome.faults.length === 0 ? 0 : 1;
  } finally {
    ending.abort();
    await killer.program().kill();
    await stage.close();
  }
}

function outcomeOf(stage: Stage, crowd: Crowd): Outcome {
  const { book } = stage.model;
  return accountFor({ sent: crowd.sent, stood: stage.stood(), book, archives: archivesIn(stage.home) });
}

/** Posts on Telegram whose answer did not reach the program, as far as can be told: cut, or killed under it. */
function unknownSends({ taps, home }: Stage, { times }: Killer): number {
  const receipts = lookAt(home)?.receipts ?? new Set();
  return taps.telegram.calls.filter(({ kind, effect, answeredAt, messageID = '' }) => {
    if (kind !== 'send' || effect !== 'done') return false;
    if (answeredAt === undefined) return true;
    const killedThen = times.some((at) => at >= answeredAt - 5 && at - answeredAt < unreadMs);
    return killedThen && !receipts.has(messageID);
  }).length;
}

/** An answer may lie unread in a dead program's socket for so long. */
const unreadMs = 250;

/** Resolves with true once every message is answered and archived and nothing is left to do, with false at the limit. */
async function settled(facts: {
  stage: Stage;
  crowd: Crowd;
  killer: Killer;
  until: number;
}): Promise<boolean> {
  const { stage, crowd, until } = facts;
  let quietSince: number | undefined;
  while (Date.now() < until) {
    const sight = lookAt(stage.home);
    const idle = sight !== undefined && sight.waiting + sight.turns + sight.outbox + sight.toArchive === 0;
    const { lost } = idle ? outcomeOf(stage, crowd) : { lost: 1 };
    quietSince = idle ? (quietSince ?? Date.now()) : undefined;
    const quiet = quietSince === undefined ? 0 : Date.now() - quietSince;
    if (quiet > (lost === 0 ? 1_000 : 20_000)) return lost === 0;
    await systemClock.sleep(100);
  }
  return false;
}

/** One line that grows: a dot for messages, a cross for kills. */
function createProgress({ messages, kills }: Plan) {
  const dots = Math.ceil(messages / 45);
  const crosses = Math.ceil(kills / 25);
  return {
    message: (count: number) => void (count % dots === 0 && process.stdout.write('.')),
    kill: (count: number) => void (count % crosses === 0 && process.stdout.write('x')),
    end: (seconds: number) => print(` ${seconds} s`),
  };
}

function summary(
  { kills, seed }: Plan,
  outcome: Outcome,
  { unknown, killer, stage }: { unknown: number; killer: Killer; stage: Stage },
): string {
  const { sent, answered, lost, duplicated, outOfOrder, archived, archivedTwice, unlabelled } = outcome;
  if (killer.kills !== kills) outcome.faults.push(`${killer.kills} kills instead of ${kills}`);
  return JSON.stringify({
    sent,
    answered,
    lost,
    duplicated,
    unknownTelegramSends: unknown,
    outOfOrder,
    archived,
    archivedTwice,
    kills: killer.kills,
    unlabelled,
    modelCalls: stage.model.book.size,
    seed,
  });
}

try {
  const [messages = 0, kills = 0, seed = 0] = readFlags(
    'chaos',
    [
      { name: 'messages', least: 1, most: 5_000, standard: 300 },
      { name: 'kills', least: 0, most: 500, standard: 20 },
      { name: 'seed', least: 0, most: 2 ** 31 - 1, standard: randomInt(100_000) },
    ],
    process.argv.slice(2),
  );
  process.exitCode = await chaos({ messages, kills, seed });
} catch (error) {
  if (!(error instanceof ParleyError)) throw error;
  process.stderr.write(`chaos: ${error.message}\n${error.cure ?? ''}\n`);
  process.exitCode = error.code === 'wrong_flags' ? 2 : 1;
}
