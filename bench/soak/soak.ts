// `npm run soak`: steady load in bad conditions, without kills, then programs that connect over MCP and leave; nothing may be lost, memory and
// file handles must stay flat. The last line is JSON.
import { randomInt } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { makeFaultProfile } from '../harness/fault-profile.ts';
import { createLoadUsers, type LoadUsers } from '../harness/load-users.ts';
import { lookAt } from '../harness/look.ts';
import { type Connects, connectAndLeave, wrongOf } from '../harness/mcp-connects.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { createRandom } from '../harness/random.ts';
import { outcomeOf, settled } from '../harness/settled.ts';
import { openStage, type Stage } from '../harness/stage.ts';
import { problemTable } from '../harness/table.ts';
import { unknownSends } from '../harness/unknown-sends.ts';
import { growthOf } from './growth.ts';
import { createRecord, measures, type SampleRecord } from './record.ts';

interface Plan {
  minutes: number;
  /** Programs that connect over MCP and leave without a goodbye. */
  connects: number;
  seed: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Between two messages; with answers and previews about as much as a busy group of each platform. */
const pauseMs = { least: 200, most: 800 };
const calmMs = 1_000;
const probeFile = `${import.meta.dirname}/probe.js`;
/** Once at rest, the program is measured a little longer. */
const afterMs = 15_000;
/** A platform may connect again during the connects. */
const spareHandles = 6;

/** Plays the plan; resolves with the exit code. */
async function soak(plan: Plan): Promise<number> {
  const stage = await openStage();
  const ending = new AbortController();
  const limit = AbortSignal.timeout(plan.minutes * 60_000 + 600_000);
  const users = createLoadUsers(stage, createRandom(plan.seed));
  const record = createRecord({ sent: () => users.sent.length, answered: () => answeredIn(stage), print });
  const program = startProgram(stage.folder, stage.environment, {
    probe: { file: probeFile, line: (line) => record.take(line, program.pid) },
  });
  try {
    print(`soak, seed ${plan.seed}: ${plan.minutes} minutes`);
    await program.ready;
    const url = /http:\/\/[\w.:]+\d/.exec(program.said())?.[0] ?? '';
    await users.greet(Number.MAX_SAFE_INTEGER);
    await settled(stage, users, { signal: limit });
    record.begin();
    const random = createRandom(plan.seed + 0x20000);
    const faultProfile = makeFaultProfile({ stage, users, random, calm: calmMs, signal: ending.signal });
    await talk(plan, users);
    ending.abort();
    await faultProfile.over;
    const atRest = await settled(stage, users, { signal: limit });
    record.end();
    await systemClock.sleep(afterMs);
    for (const line of problemTable(faultProfile.injected, stage.taps)) print(line);
    const token = stage.environment.PARLEY_TOKEN ?? '';
    const mcp = await connectAndLeave(plan.connects, { url, token, pid: program.pid });
    return await judge(plan, { stage, users, program, record, atRest, mcp });
  } finally {
    ending.abort();
    await program.kill();
    await stage.close();
  }
}

/** Says one message after another for the plan's time. */
async function talk(plan: Plan, users: LoadUsers): Promise<void> {
  const pace = createRandom(plan.seed + 0x30000);
  const until = Date.now() + plan.minutes * 60_000;
  while (Date.now() < until) {
    await users.say();
    await systemClock.sleep(pace.int(pauseMs.least, pauseMs.most));
  }
}

function answeredIn(stage: Stage): number {
  return lookAt(stage.home)?.answered ?? 0;
}

/** Prints what is wrong and the numbers; resolves with the exit code. */
async function judge(
  plan: Plan,
  facts: {
    stage: Stage;
    users: LoadUsers;
    program: Program;
    record: SampleRecord;
    atRest: boolean;
    mcp: Connects;
  },
): Promise<number> {
  const { stage, users, program, record, atRest, mcp } = facts;
  const exitCode = await program.stop();
  const { faults: lapses, ...counts } = outcomeOf(stage, users);
  const faults = [...lapses, ...wrongOf(mcp, spareHandles)];
  const receipts = lookAt(stage.home)?.receipts ?? new Set<string>();
  const unknown = unknownSends(stage.taps.telegram.calls, { receipts, deaths: [] }).length;
  if (!atRest) faults.push('not everything came to rest');
  if (exitCode !== 0) faults.push(`asked to stop, the program ended with code ${exitCode}`);
  if (counts.duplicated.telegram > unknown)
    faults.push(`Telegram has ${counts.duplicated.telegram} duplicates for ${unknown} unknown sends`);
  const growths = measures.map(({ name, unit, allowance }) => {
    const growth = growthOf(record.samples(name), allowance);
    const change = `${growth.gained.toFixed(1)} ${unit} gained after the warm-up, ${allowance} allowed`;
    print(`${name.padEnd(9)}${growth.verdict.padEnd(7)}${change}`);
    if (growth.verdict === 'grows') faults.push(`${name} grows: ${change}`);
    return [name, Math.round(growth.perHour * 10) / 10] as const;
  });
  for (const fault of faults) print(`WRONG: ${fault}`);
  if (faults.length > 0) {
    print(`What the program said last:\n${program.said()}`);
    print(`Its databases are kept in ${await stage.save(`soak-seed-${plan.seed}`)}.`);
  }
  const { sent, answered, lost, duplicated, outOfOrder, archived, archivedTwice } = counts;
  const summary = {
    ...{ minutes: plan.minutes, sent, answered, lost, duplicated, unknownTelegramSends: unknown },
    ...{ outOfOrder, archived, archivedTwice, perHour: Object.fromEntries(growths) },
    mcp,
    ...{ seed: plan.seed, ok: faults.length === 0 },
  };
  print(JSON.stringify(summary));
  return faults.length === 0 ? 0 : 1;
}

try {
  const { values } = argumentsOf({
    name: 'soak',
    about:
      'Steady load in bad conditions without kills, then programs that connect over MCP and leave: nothing may be lost, memory and file handles must stay flat. The last line is JSON.',
    options: {
      minutes: { standard: 10, least: 1, most: 1_440, about: 'of load' },
      connects: { standard: 1_000, least: 0, most: 100_000, about: 'programs that connect and leave' },
      seed: {
        standard: randomInt(100_000),
        least: 0,
        most: 2 ** 31 - 1,
        isRandom: true,
        about: 'of the random choices',
      },
    },
  });
  process.exitCode = await soak(values);
} catch (error) {
  if (!(error instanceof ParleyError)) throw error;
  process.stderr.write(`soak: ${error.message}\n${error.hint ?? ''}\n`);
  process.exitCode = 1;
}
