// Two instances of Parley with a home folder each, and the PostgreSQL that they share, as one program: of each kill one of the three dies.
import { systemClock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';
import { type Link, startLink } from '../harness/link.ts';
import { lookAt } from '../harness/look.ts';
import { type Program, startProgram } from '../harness/program.ts';
import type { Random } from '../harness/random.ts';
import { platforms, type Stage } from '../harness/stage.ts';
import type { Death } from '../harness/unknown-sends.ts';
import { createFailovers, type Failovers } from './failovers.ts';

/** One instance, and its way to the database. */
export interface Machine {
  name: string;
  home: string;
  link: Link;
  program: Program | undefined;
  /** Whether it has said of each platform that it is connected or waits. */
  isReady: boolean;
  isAsleep: boolean;
  isCutOff: boolean;
  /** Its start, while that is ahead. */
  starting: Promise<void> | undefined;
}

type Victim = Machine | 'database';

export interface Machines {
  all: readonly Machine[];
  failovers: Failovers;
  /** Who was killed, and how often. */
  killed: Readonly<Record<'leader' | 'other' | 'database', number>>;
  /** The times in which an instance stood still, for the account of sends that nobody took note of. */
  sleeps: Death[];
  server: PostgresServer;
  url: string;
  /** Starts what does not run, each after a while, and not at the first start. */
  start(): Program;
  /** The home of the one that is killed next; undefined for the database. */
  nextHome(): string | undefined;
  /** Lets the instance stand still for so long, as a machine that hangs does; returns whether it woke up again. */
  sleep(machine: Machine, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Cuts the instance off for so long, and nobody is told. */
  cutOff(machine: Machine, ms: number, signal: AbortSignal): Promise<void>;
  /** Its connections to the database are reset. */
  reset(machine: Machine): void;
  /** Lets each of them lead alone until it has nothing left to do; returns what went wrong. */
  drain(): Promise<string[]>;
  close(): Promise<void>;
}

/** An instance is started again so long after it was killed, and the database too, in milliseconds. */
const restartMs = { least: 0, most: 6_000 };
/** An instance that leads alone has so long for what waits in its home. */
const drainMs = 120_000;

const spoken = /^ {2}(discord|telegram|slack) +(connected$|waits:)/;
const firstWords = platforms.map((name) => new RegExp(`^ {2}${name} +(connected$|waits:)`));

/** Starts the database. The instances are started by `start`. */
export async function openMachines({ stage, random }: { stage: Stage; random: Random }): Promise<Machines> {
  const server = await startPostgres();
  const direct = await server.database();
  const failovers = createFailovers();
  const ending = new AbortController();
  const killed = { leader: 0, other: 0, database: 0 };
  const sleeps: Death[] = [];
  const all: Machine[] = await Promise.all(
    stage.homes.map(async (home, at) => ({
      ...{ name: `instance ${at + 1}`, home, link: await startLink(() => server.port) },
      ...{ program: undefined, starting: undefined, isReady: false, isAsleep: false, isCutOff: false },
    })),
  );
  const database = { isUp: true, starting: undefined as Promise<void> | undefined };
  let victim: Victim | undefined;

  const isUp = ({ program, isAsleep }: Machine): boolean => program?.running() === true && !isAsleep;
  const refresh = (): void => {
    const able = all.filter((each) => database.isUp && isUp(each) && each.isReady && !each.isCutOff);
    failovers.able(able.map(({ name }) => name));
  };

  const launch = (machine: Machine): void => {
    const { name, home, link } = machine;
    const environment = {
      ...stage.environment,
      PARLEY_HOME: home,
      DATABASE_URL: direct.replace(`:${server.port}/`, `:${link.port}/`),
    };
    const line = (text: string): void => {
      const [, platform, state] = spoken.exec(text) ?? [];
      const named = platforms.find((each) => each === platform);
      if (named === undefined || machine.program !== program) return;
      if (state === 'connected') failovers.leads(name, named);
      else failovers.lost(name, named);
    };
    const program = startProgram(stage.folder, environment, { until: firstWords, line });
    machine.program = program;
    machine.isReady = false;
    void program.ready.then(
      () => {
        if (machine.program !== program) return;
        machine.isReady = true;
        refresh();
      },
      () => undefined,
    );
  };
  /** After a while, unless all is over by then. */
  const later = async (work: () => void | Promise<void>): Promise<void> => {
    try {
      await systemClock.sleep(random.int(restartMs.least, restartMs.most), ending.signal);
      await work();
    } catch (error) {
      if (!isAbort(error, ending.signal)) throw error;
    }
  };
  const restart = (machine: Machine): void => {
    if (machine.starting !== undefined || machine.program?.running() === true) return;
    if (machine.program === undefined) {
      launch(machine);
      return;
    }
    machine.starting = later(() => launch(machine)).finally(() => {
      machine.starting = undefined;
    });
  };
  const restartDatabase = (): void => {
    if (database.isUp) return;
    database.starting ??= later(async () => {
      await server.start();
      database.isUp = true;
      refresh();
    }).finally(() => {
      database.starting = undefined;
    });
  };

  const draw = (): Victim | undefined => {
    const awake = all.filter(isUp);
    const leader = awake.find(({ name }) => name === failovers.leader());
    const others = awake.filter((each) => each !== leader);
    const lots: Victim[] = [...(leader ? [leader, leader, leader] : []), ...others];
    if (database.isUp) lots.push('database', 'database');
    return lots[random.int(0, Math.max(0, lots.length - 1))];
  };
  const canDie = (one: Victim): boolean => (one === 'database' ? database.isUp : isUp(one));

  const kill = async (): Promise<void> => {
    let dies = victim !== undefined && canDie(victim) ? victim : draw();
    for (; dies === undefined; dies = draw()) await systemClock.sleep(100, ending.signal);
    victim = undefined;
    if (dies === 'database') {
      killed.database += 1;
      database.isUp = false;
      for (const { name } of all) failovers.lost(name);
      refresh();
      await server.kill();
      return;
    }
    killed[dies.name === failovers.leader() ? 'leader' : 'other'] += 1;
    await dies.program?.kill();
    failovers.lost(dies.name);
    refresh();
  };

  const start = (): Program => {
    for (const machine of all) restart(machine);
    restartDatabase();
    const ready = async (): Promise<void> => {
      await Promise.all([...all.map(({ starting }) => starting), database.starting]);
      await Promise.all(all.map(({ program }) => program?.ready));
    };
    const isReady = ready();
    isReady.catch(() => undefined); // a caller who does not wait need not hear of it
    return {
      pid: all[0]?.program?.pid ?? 0,
      ready: isReady,
      said: () => all.map(({ name, program }) => `${name}:\n${program?.said() ?? ''}`).join('\n'),
      running: () => all.some(isUp),
      pause() {
        for (const each of all) if (isUp(each)) each.program?.pause();
      },
      goOn() {
        for (const each of all) if (isUp(each)) each.program?.goOn();
      },
      async kill() {
        await kill();
        // those that live go on
        for (const each of all) if (isUp(each)) each.program?.goOn();
      },
      async stop() {
        const codes = await Promise.all(all.map(async ({ program }) => (await program?.stop()) ?? 0));
        return codes.find((code) => code !== 0) ?? 0;
      },
    };
  };

  return {
    ...{ all, failovers, killed, sleeps, server, url: direct, start },
    nextHome() {
      if (victim === undefined || !canDie(victim)) victim = draw();
      return victim === 'database' ? undefined : victim?.home;
    },
    async sleep(machine, ms, signal) {
      const { program } = machine;
      if (program === undefined || !isUp(machine)) return false;
      const stoppedAt = Date.now();
      machine.isAsleep = true;
      program.pause();
      failovers.lost(machine.name);
      refresh();
      await systemClock.sleep(ms, signal).catch(() => undefined);
      sleeps.push({ stoppedAt, killedAt: Date.now() });
      machine.isAsleep = false;
      program.goOn();
      refresh();
      return !signal.aborted;
    },
    async cutOff(machine, ms, signal) {
      machine.isCutOff = true;
      failovers.lost(machine.name);
      refresh();
      const over = systemClock.sleep(ms, signal).catch(() => undefined);
      machine.link.goSilent(over);
      await over;
      machine.isCutOff = false;
      refresh();
    },
    reset(machine) {
      failovers.lost(machine.name);
      machine.link.cutAll();
    },
    drain: () => drained({ all, failovers, start }),
    async close() {
      ending.abort();
      await Promise.all([...all.map(({ starting }) => starting), database.starting]);
      await Promise.all(all.map(({ program }) => program?.kill()));
      await Promise.all(all.map(({ link }) => link.close()));
      await server.kill();
    },
  };
}

/** What an instance took in and did not answer waits in its home, and is answered when it leads again: each gets its turn. */
async function drained({
  all,
  failovers,
  start,
}: Pick<Machines, 'all' | 'failovers' | 'start'>): Promise<string[]> {
  const wrong: string[] = [];
  const within = async (what: string, isSo: () => boolean): Promise<void> => {
    const until = Date.now() + drainMs;
    while (!isSo())
      if (Date.now() < until) await systemClock.sleep(200);
      else return void wrong.push(`${what} not within ${drainMs / 1000} s`);
  };
  await start().ready;
  for (const alone of all) {
    for (const other of all.filter((each) => each !== alone)) {
      const code = await other.program?.stop();
      failovers.lost(other.name);
      if (code !== 0) wrong.push(`asked to stop, ${other.name} ended with code ${code}`);
    }
    await within(`${alone.name} leads alone`, () => failovers.leadsAll(alone.name));
    await within(`${alone.name} answers what waits in its home`, () => {
      const sight = lookAt(alone.home);
      return sight !== undefined && sight.waiting + sight.turns + sight.outbox + sight.toArchive === 0;
    });
    await start().ready;
  }
  return wrong;
}
