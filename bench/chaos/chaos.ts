// `npm run chaos`: kills the program again and again in bad conditions, and accounts for every message. The last line is JSON.
import { randomInt } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createApart } from '../harness/apart.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { type ClockFiles, createClockFiles } from '../harness/clock-files.ts';
import { makeFaultProfile } from '../harness/fault-profile.ts';
import { freePort } from '../harness/free-port.ts';
import { type Links, openLinks } from '../harness/links.ts';
import { createLoadUsers, type LoadUsers } from '../harness/load-users.ts';
import { lookAt, lookAtAll, type Sight } from '../harness/look.ts';
import { startProgram } from '../harness/program.ts';
import { createRandom } from '../harness/random.ts';
import { outcomeOf, settled, timeoutWithLinks, usualPatience } from '../harness/settled.ts';
import { openStage, type Stage } from '../harness/stage.ts';
import { countsTable, problemTable } from '../harness/table.ts';
import { faultsAfter } from './aftermath.ts';
import { filesChaos } from './files.ts';
import { journalChaos } from './journal.ts';
import { createKiller, type Killer } from './killer.ts';
import { startLinkProblems } from './link-problems.ts';
import { startMachineProblems } from './machine-problems.ts';
import { machineCounts, sharedArchives, takeoverFaults } from './machine-verdict.ts';
import { type Machines, openMachines } from './machines.ts';
import { missionsChaos } from './missions.ts';
import { countsOf } from './notes.ts';
import { type Operators, startOperators } from './operators.ts';
import { schedulesChaos } from './schedules.ts';
import { toolsChaos } from './tools.ts';
import { type Plan, verdictOf } from './verdict.ts';
import { windows } from './windows.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Faults that are printed; the JSON has the numbers of all. */
const maxPrinted = 40;
const calmMs = 250;

/** All that a run has: the program, what it meets, and who talks. */
interface Scene {
  stage: Stage;
  links: Links | undefined;
  clocks: ClockFiles | undefined;
  /** Of the engine; 0: any. */
  port: number;
  apart: ReturnType<typeof createApart>;
  machines: Machines | undefined;
  users: LoadUsers;
  killer: Killer;
  /** Tells the killer that a message was written. */
  notify(): void;
}

/** Starts everything. */
async function setUp(plan: Plan): Promise<Scene> {
  const port = plan.processes === 2 || plan.operators ? await freePort() : 0;
  const links = plan.links ? await openLinks() : undefined;
  const stage = await openStage({
    port,
    instances: plan.machines,
    ...(links === undefined ? {} : { links }),
  });
  const clocks = plan.links ? createClockFiles(stage.folder) : undefined;
  const apart = createApart(stage.folder, stage.environment, {
    port: links?.of.engine.port ?? port,
    random: createRandom(plan.seed + 0x40000),
    clocks,
  });
  const machines =
    plan.machines === 2
      ? await openMachines({ stage, random: createRandom(plan.seed + 0x70000) })
      : undefined;
  const alone = plan.processes === 2 ? apart.start : () => startProgram(stage.folder, stage.environment);
  const start = machines?.start ?? alone;
  const users = createLoadUsers(stage, createRandom(plan.seed));
  const listeners = new Set<() => void>();
  const said = (): Promise<void> =>
    new Promise((resolve) => {
      const once = (): void => {
        listeners.delete(once);
        resolve();
      };
      listeners.add(once);
    });
  const look = machines === undefined ? () => lookAt(stage.home) : () => sightOf(stage, machines);
  const killer = createKiller({ stage, users, random: createRandom(plan.seed + 0x10000), start, said, look });
  const notify = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return { stage, links, clocks, port, apart, machines, users, killer, notify };
}

/** What all homes say; a turn in its last attempt counts only where it is the next to die. */
function sightOf(stage: Stage, machines: Machines): Sight | undefined {
  const sight = lookAtAll(stage.homes);
  const next = machines.nextHome();
  const lastAttempts = next === undefined ? 0 : (lookAt(next)?.lastAttempts ?? 0);
  return sight && { ...sight, lastAttempts };
}

/** Plays the plan; resolves with the exit code. */
async function chaos(plan: Plan): Promise<number> {
  const scene = await setUp(plan);
  const { stage, links, apart, machines, users, killer } = scene;
  const startedAt = Date.now();
  const ending = new AbortController();
  const limit = AbortSignal.timeout(
    (120_000 + plan.messages * 2_000 + plan.kills * 20_000) * (plan.links || plan.machines === 2 ? 2 : 1),
  );
  const timeout = plan.links ? timeoutWithLinks : usualPatience;
  try {
    print(`chaos, ${words(plan)}`);
    await killer.program().ready;
    await users.greet(plan.messages);
    await settled(stage, users, { signal: limit, timeout });
    const problem = startProblem(plan, scene, ending.signal);
    const progress = createProgress(plan);
    const notify = (): void => {
      progress.message(users.sent.length);
      scene.notify();
    };
    await Promise.all([
      talk(plan, { users, killer, notify, limit }),
      strike(plan, { killer, limit, struck: progress.kill }),
    ]);
    ending.abort();
    const { faultProfile, operators, onLinks, onMachines } = problem;
    await Promise.all([faultProfile.over, operators?.over, onLinks?.over, onMachines?.over]);
    machines?.failovers.end();
    const undrained = (await machines?.drain()) ?? [];
    const atRest = await settled(stage, users, { signal: limit, timeout });
    progress.end(Math.round((Date.now() - startedAt) / 1000));
    const exitCode = await killer.program().stop();
    const found = operators === undefined ? undefined : await afterOperators(stage, operators);
    const shared = machines === undefined ? [] : await sharedArchives(machines);
    const { faults, summary } = verdictOf(plan, outcomeOf(stage, users, shared), {
      atRest,
      exitCode,
      kills: killer.kills,
      deaths: [...killer.deaths, ...(machines?.sleeps ?? [])],
      broken: links?.of.telegram.broken ?? [],
      hits: killer.hits,
      telegram: stage.taps.telegram.calls,
      receipts: lookAtAll(stage.homes)?.receipts ?? new Set(),
      others: [
        ...(found?.faults ?? (plan.links ? await faultsAfter(stage.home, []) : [])),
        ...undrained,
        ...(machines === undefined ? [] : await machineFaults(stage, machines)),
      ],
    });
    for (const line of problemTable(faultProfile.injected, stage.taps)) print(line);
    for (const line of countsTable('kills that fell', windows, killer.hits)) print(line);
    for (const line of tableOf('operators tried', operators?.done)) print(line);
    for (const line of tableOf('links and clocks', onLinks?.done)) print(line);
    if (faults.length > 0) await explain(faults, { stage, killer, plan });
    print(
      JSON.stringify({
        ...summary,
        ...(plan.processes === 2 ? { killed: apart.victims } : {}),
        ...found?.counts,
        ...(onLinks === undefined ? {} : { harms: sumOf(onLinks.done) }),
        ...(machines === undefined || onMachines === undefined
          ? {}
          : machineCounts({ stage, users, machines }, onMachines.done)),
        modelCalls: stage.model.book.size,
        seed: plan.seed,
      }),
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    ending.abort();
    if (machines === undefined) await killer.program().kill();
    await apart.killAll();
    await machines?.close();
    await links?.close();
    await stage.close();
  }
}

function words({ seed, messages, kills, processes, operators, links, machines }: Plan): string {
  const parts = processes === 2 ? ', engine and channels apart' : '';
  const people = operators ? ', operators next to it' : '';
  const between = links ? ', bad links and clocks' : '';
  const two = machines === 2 ? ', two machines and their database' : '';
  return `seed ${seed}: ${messages} messages, ${kills} kills${parts}${people}${between}${two}`;
}

/** Everything besides kills that befalls the program, until the signal aborts. */
function startProblem(
  plan: Plan,
  { stage, links, clocks, machines, users, port }: Scene,
  signal: AbortSignal,
) {
  const random = (offset: number) => createRandom(plan.seed + offset);
  return {
    faultProfile: makeFaultProfile({ stage, users, random: random(0x20000), calm: calmMs, signal }),
    operators: plan.operators
      ? startOperators({ stage, users, port, random: random(0x50000), signal })
      : undefined,
    onLinks:
      links === undefined || clocks === undefined
        ? undefined
        : startLinkProblems({ links, clocks, random: random(0x60000), signal }),
    onMachines: machines && startMachineProblems({ machines, random: random(0x80000), signal }),
  };
}

function tableOf(title: string, done: ReadonlyMap<string, number> | undefined): string[] {
  return done === undefined ? [] : countsTable(title, [...done.keys()].sort(), done);
}

function sumOf(done: ReadonlyMap<string, number>): number {
  return [...done.values()].reduce((sum, count) => sum + count, 0);
}

/** What is wrong with what operators did, and the numbers of it. */
async function afterOperators(stage: Stage, { notes, faults, done, killed }: Operators) {
  return {
    faults: [...faults, ...(await faultsAfter(stage.home, notes.all))],
    counts: { operators: { tries: sumOf(done), killed: killed(), ...countsOf(notes.all) } },
  };
}

/** Says the plan's messages, spread between the kills, some of them while the program is down. */
async function talk(
  plan: Plan,
  {
    users,
    killer,
    notify,
    limit,
  }: { users: LoadUsers; killer: Killer; notify: () => void; limit: AbortSignal },
): Promise<void> {
  const pace = createRandom(plan.seed + 0x30000);
  while (users.sent.length < plan.messages && !limit.aborted) {
    const ahead = users.sent.length / plan.messages > (killer.kills + 1) / (plan.kills + 1);
    if (ahead) await systemClock.sleep(20);
    else {
      await users.say();
      notify();
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

/** What is wrong with the homes of the instances, and with how one took over from the other. */
async function machineFaults(stage: Stage, { failovers }: Machines): Promise<string[]> {
  const ofHomes = await Promise.all(stage.homes.map((home) => faultsAfter(home, [])));
  return [...ofHomes.flat(), ...takeoverFaults(failovers.taken)];
}

/** What is wrong, what the program said last, and where its databases can be looked at. */
async function explain(
  faults: readonly string[],
  { stage, killer, plan }: { stage: Stage; killer: Killer; plan: Plan },
): Promise<void> {
  for (const fault of faults.slice(0, maxPrinted)) print(`WRONG: ${fault}`);
  if (faults.length > maxPrinted) print(`... and ${faults.length - maxPrinted} more.`);
  print(`What the program said last:\n${killer.program().said()}`);
  print(`Its databases are kept in ${await stage.save(`chaos-seed-${plan.seed}`)}.`);
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
  const { values } = argumentsOf({
    name: 'chaos',
    about:
      'Kills the program again and again in bad conditions, and accounts for every message. The last line is JSON; docs/performance.md says what each kind holds.',
    options: {
      messages: { standard: 300, least: 1, most: 5_000, about: 'messages, firings or missions' },
      kills: { standard: 20, least: 0, most: 500, about: 'kills' },
      seed: {
        standard: randomInt(100_000),
        least: 0,
        most: 2 ** 31 - 1,
        isRandom: true,
        about: 'of the random choices',
      },
      processes: { standard: 1, least: 1, most: 2, about: 'with 2, engine and channels run apart' },
      operators: { isSwitch: true, about: 'runs other commands at random, and kills some of them' },
      links: { isSwitch: true, about: 'puts bad links between everything, and moves a clock' },
      machines: {
        standard: 1,
        least: 1,
        most: 2,
        about: 'with 2, two instances share one PostgreSQL, which is killed too',
      },
      files: { isSwitch: true, about: 'kills a process at work on memory files, in place of all that' },
      schedules: { isSwitch: true, about: 'kills the program over schedules, in place of all that' },
      journal: { isSwitch: true, about: 'kills a process over the journal, in place of all that' },
      tools: {
        isSwitch: true,
        about: 'kills the program over tools that leave a line per call, in place of all that',
      },
      missions: { isSwitch: true, about: 'kills the program over missions, in place of all that' },
    },
  });
  const { messages, kills, seed, machines, files, schedules, journal, missions, tools } = values;
  if (journal) process.exitCode = await journalChaos({ kills, seed });
  else if (files) process.exitCode = await filesChaos({ kills, seed });
  else if (tools) process.exitCode = await toolsChaos({ calls: messages, kills, seed });
  else if (missions || schedules) {
    const codes: number[] = [];
    if (missions) codes.push(await missionsChaos({ missions: messages, kills, seed }));
    if (schedules) codes.push(await schedulesChaos({ firings: messages, kills, seed }));
    process.exitCode = Math.max(...codes);
  } else
    process.exitCode = await chaos({
      ...{ messages, kills, seed, machines },
      // what is bad between machines is a kind of its own
      operators: values.operators && machines === 1,
      links: values.links && machines === 1,
      // the link between both is the first that can be bad
      processes: machines === 2 ? 1 : values.links ? 2 : values.processes,
    });
} catch (error) {
  if (!(error instanceof ParleyError)) throw error;
  process.stderr.write(`chaos: ${error.message}\n${error.hint ?? ''}\n`);
  // the stage and the operators are still open: they would continue for ever
  process.exit(1);
}
