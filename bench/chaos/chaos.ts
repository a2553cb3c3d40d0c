// `npm run chaos`: kills the program again and again in bad weather, and accounts for every message. The last line is JSON.
import { randomInt } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createApart } from '../stage/apart.ts';
import { type Crowd, createCrowd } from '../stage/crowd.ts';
import { readFlags } from '../stage/flags.ts';
import { freePort } from '../stage/free-port.ts';
import { lookAt } from '../stage/look.ts';
import { startProgram } from '../stage/program.ts';
import { createRandom } from '../stage/random.ts';
import { outcomeOf, settled } from '../stage/settled.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { countsTable, troubleTable } from '../stage/table.ts';
import { makeWeather } from '../stage/weather.ts';
import { faultsAfter } from './aftermath.ts';
import { createKiller, type Killer } from './killer.ts';
import { countsOf } from './notes.ts';
import { type Operators, startOperators } from './operators.ts';
import { type Plan, verdictOf } from './verdict.ts';
import { windows } from './windows.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Faults that are printed; the JSON has the numbers of all. */
const mostPrinted = 40;
const calmMs = 250;

/** Plays the plan; resolves with the exit code. */
async function chaos(plan: Plan): Promise<number> {
  const port = plan.processes === 2 || plan.operators ? await freePort() : 0;
  const stage = await openStage(port);
  const apart = createApart(stage.folder, stage.environment, {
    port,
    random: createRandom(plan.seed + 0x40000),
  });
  const start = plan.processes === 2 ? apart.start : () => startProgram(stage.folder, stage.environment);
  const startedAt = Date.now();
  const ending = new AbortController();
  const limit = AbortSignal.timeout(120_000 + plan.messages * 2_000 + plan.kills * 20_000);
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
  const killer = createKiller({ stage, crowd, random: createRandom(plan.seed + 0x10000), start, said });
  try {
    const parts = plan.processes === 2 ? ', engine and channels apart' : '';
    const beside = plan.operators ? ', operators beside it' : '';
    print(`chaos, seed ${plan.seed}: ${plan.messages} messages, ${plan.kills} kills${parts}${beside}`);
    await killer.program().ready;
    await crowd.greet(plan.messages);
    await settled(stage, crowd, limit);
    const random = createRandom(plan.seed + 0x20000);
    const weather = makeWeather({ stage, crowd, random, calm: calmMs, signal: ending.signal });
    const operators = plan.operators
      ? startOperators({
          stage,
          crowd,
          port,
          random: createRandom(plan.seed + 0x50000),
          signal: ending.signal,
        })
      : undefined;
    const progress = createProgress(plan);
    const tell = (): void => {
      progress.message(crowd.sent.length);
      for (const listener of [...listeners]) listener();
    };
    await Promise.all([
      talk(plan, { crowd, killer, tell, limit }),
      strike(plan, { killer, limit, struck: progress.kill }),
    ]);
    ending.abort();
    await Promise.all([weather.over, operators?.over]);
    const atRest = await settled(stage, crowd, limit);
    progress.end(Math.round((Date.now() - startedAt) / 1000));
    const exitCode = await killer.program().stop();
    const found = operators === undefined ? undefined : await afterOperators(stage, operators);
    const { faults, summary } = verdictOf(plan, outcomeOf(stage, crowd), {
      atRest,
      exitCode,
      kills: killer.kills,
      deaths: killer.deaths,
      hits: killer.hits,
      telegram: stage.taps.telegram.calls,
      receipts: lookAt(stage.home)?.receipts ?? new Set(),
      operators: found?.faults ?? [],
    });
    for (const line of troubleTable(weather.injected, stage.taps)) print(line);
    for (const line of countsTable('kills that fell', windows, killer.hits)) print(line);
    if (operators !== undefined)
      for (const line of countsTable('operators tried', [...operators.done.keys()].sort(), operators.done))
        print(line);
    if (faults.length > 0) await explain(faults, { stage, killer, plan });
    const victims = plan.processes === 2 ? { killed: apart.victims } : {};
    print(
      JSON.stringify({
        ...summary,
        ...victims,
        ...found?.counts,
        modelCalls: stage.model.book.size,
        seed: plan.seed,
      }),
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    ending.abort();
    await killer.program().kill();
    await apart.killAll();
    await stage.close();
  }
}

/** What is wrong with what operators did, and the numbers of it. */
async function afterOperators(stage: Stage, { notes, faults, done, killed }: Operators) {
  const tries = [...done.values()].reduce((sum, count) => sum + count, 0);
  return {
    faults: [...faults, ...(await faultsAfter(stage.home, notes.all))],
    counts: { operators: { tries, killed: killed(), ...countsOf(notes.all) } },
  };
}

/** Says the plan's messages, spread between the kills, some of them while the program is down. */
async function talk(
  plan: Plan,
  { crowd, killer, tell, limit }: { crowd: Crowd; killer: Killer; tell: () => void; limit: AbortSignal },
): Promise<void> {
  const pace = createRandom(plan.seed + 0x30000);
  while (crowd.sent.length < plan.messages && !limit.aborted) {
    const ahead = crowd.sent.length / plan.messages > (killer.kills + 1) / (plan.kills + 1);
    if (ahead) await systemClock.sleep(20);
    else {
      await crowd.say();
      tell();
      await systemClock.sleep(pace.chance(0.3) ? pace.int(0, 30) : pace.int(30, 300));
    }
  }
}

async function strike(
  plan: Plan,
  { killer, limit, struck }: { killer: Killer; limit: AbortSignal; struck: (count: number) => void },
): Promise<void> {
  while (killer.kills < plan.kills && !limit.aborted) {
    await killer.kill();
    struck(killer.kills);
  }
}

/** What is wrong, what the program said last, and where its databases can be looked at. */
async function explain(
  faults: readonly string[],
  { stage, killer, plan }: { stage: Stage; killer: Killer; plan: Plan },
): Promise<void> {
  for (const fault of faults.slice(0, mostPrinted)) print(`WRONG: ${fault}`);
  if (faults.length > mostPrinted) print(`... and ${faults.length - mostPrinted} more.`);
  print(`What the program said last:\n${killer.program().said()}`);
  print(`Its databases are kept in ${await stage.keep(`chaos-seed-${plan.seed}`)}.`);
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

try {
  const [messages = 0, kills = 0, seed = 0, processes = 1, operators = 0] = readFlags(
    'chaos',
    [
      { name: 'messages', least: 1, most: 5_000, standard: 300 },
      { name: 'kills', least: 0, most: 500, standard: 20 },
      { name: 'seed', least: 0, most: 2 ** 31 - 1, standard: randomInt(100_000) },
      { name: 'processes', least: 1, most: 2, standard: 1 },
      { name: 'operators', least: 0, most: 1, standard: 0, isSwitch: true },
    ],
    process.argv.slice(2),
  );
  process.exitCode = await chaos({ messages, kills, seed, processes, operators: operators === 1 });
} catch (error) {
  if (!(error instanceof ParleyError)) throw error;
  process.stderr.write(`chaos: ${error.message}\n${error.cure ?? ''}\n`);
  process.exitCode = error.code === 'wrong_flags' ? 2 : 1;
}
