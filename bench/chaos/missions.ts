// `npm run chaos -- --missions`: kills the program at random while agents work on the questions of six chats. Each question has one
// answer (or one sentence that it was interrupted), no agent runs again after it has ended, and none is left open.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFileName } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { type Script, startScripted } from '../../test/engine/teams/team-kit.ts';
import { lookAt } from '../harness/look.ts';
import { startProgram } from '../harness/program.ts';
import { createRandom } from '../harness/random.ts';
import { directChats, laneOf, openStage, type Stage } from '../harness/stage.ts';
import { type Death, unknownSends } from '../harness/unknown-sends.ts';
import { faultsAfter } from './aftermath.ts';
import { agentsIn, endsQuestion, missionVerdict, type Question } from './mission-verdict.ts';

export interface MissionsPlan {
  /** Questions; each is answered by a mission of three agents. */
  missions: number;
  kills: number;
  seed: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** A question has its answer so late after the last kill, over rates and backoffs, in milliseconds. */
const withinMs = 240_000;
const figures = ['length', 'age', 'price'];

/** Plays it; resolves with the exit code. The last line is JSON. */
export async function missionsChaos(plan: MissionsPlan): Promise<number> {
  const stage = await openStage();
  const random = createRandom(plan.seed);
  const ends: (() => unknown)[] = [];
  const model = await startScripted({ after: (end) => void ends.push(end as () => unknown) }, script);
  enableTeams(stage, model.settings.baseUrl);
  const start = () => startProgram(stage.folder, stage.environment);
  const deaths: Death[] = [];
  const asked: Question[] = [];
  let program = start();
  /** The last kill is over, and the program is ready again. */
  let calmSince = Number.POSITIVE_INFINITY;
  const strike = async (): Promise<void> => {
    for (let kill = 0; kill < plan.kills; kill += 1) {
      // some of them while it starts
      if (random.chance(0.85)) await program.ready;
      await systemClock.sleep(random.int(100, 5_000));
      const stoppedAt = Date.now();
      await program.kill();
      deaths.push({ stoppedAt, killedAt: Date.now() });
      program = start();
      process.stdout.write('x');
    }
    await program.ready;
    calmSince = Date.now();
  };
  /** One chat: the next question comes once the one before has its answer, so that none is answered together with another. */
  const talk = async ({ platform, user }: (typeof directChats)[number]): Promise<void> => {
    const server = stage.sandbox[platform];
    const ended = (): number =>
      server.shown('dm', user).filter(({ author, text }) => author === 'bot' && endsQuestion(text)).length;
    while (asked.length < plan.missions) {
      const token = `q${asked.length + 1}x`;
      asked.push({ platform, lane: laneOf('dm', user), token });
      const before = ended();
      await server.say({ chat: 'dm', user, text: `What is known of ${token}?` });
      const writtenAt = Date.now();
      const isLate = (): boolean => Date.now() > Math.max(writtenAt, calmSince) + withinMs;
      while (ended() === before && !isLate()) await systemClock.sleep(100);
    }
  };
  try {
    print(`chaos with missions, seed ${plan.seed}: ${plan.missions} missions, ${plan.kills} kills`);
    await program.ready;
    await Promise.all([strike(), ...directChats.map(talk)]);
    await program.ready;
    const atRest = await rested(stage, plan.missions);
    const exitCode = await program.stop();
    print('');
    const calls = stage.taps.telegram.calls;
    const receipts = lookAt(stage.home)?.receipts ?? new Set<string>();
    const unknown = unknownSends(calls, { receipts, deaths }).length;
    const { faults, counts } = missionVerdict({
      ...{ asked, existed: stage.existed(), unknown, atRest, exitCode },
      ...agentsIn(stage.home),
    });
    const all = [...faults, ...(await faultsAfter(stage.home, []))];
    for (const fault of all.slice(0, 40)) print(`WRONG: ${fault}`);
    if (all.length > 0) {
      print(`What the program said last:\n${program.said()}`);
      print(`Its databases are kept in ${await stage.save(`chaos-missions-${plan.seed}`)}.`);
    }
    print(JSON.stringify({ faults: all.length, ...counts, unknown, kills: deaths.length, seed: plan.seed }));
    return all.length === 0 ? 0 : 1;
  } finally {
    await program.kill();
    for (const end of ends) await end();
    await stage.close();
  }
}

/** The chat's model starts three agents, waits and answers; one of them uses a tool before it does. */
const script: Script = async ({ system, prompt, results }) => {
  await systemClock.sleep(200);
  const name = /q\d+x/g;
  const token = prompt.match(name)?.at(-1) ?? 'q0x';
  if (system.includes('You are a researcher')) {
    if (prompt.includes('price') && results.length === 0)
      return { calls: [{ name: 'memory_list', args: {} }] };
    await systemClock.sleep(600);
    return { text: `Found for ${token}.` };
  }
  if (results.length === 0)
    return {
      calls: figures.map((figure) => ({
        name: 'spawn_agent',
        args: { template: 'researcher', task: `Find the ${figure} of ${token}.` },
      })),
    };
  if (results.length === figures.length) return { calls: [{ name: 'wait_agents', args: {} }] };
  return { text: `The answer to ${token} is here.` };
};

function enableTeams(stage: Stage, baseUrl: string): void {
  const path = join(stage.folder, configFileName);
  const config = JSON.parse(readFileSync(path, 'utf8')); // written by the stage
  const model = { provider: 'openai-compatible', name: 'm', baseUrl };
  const agents = { ...config.agents, team: { enabled: true, requireJustification: false } };
  writeFileSync(path, JSON.stringify({ ...config, model, agents }));
}

/** True once nothing is left to do and every question was taken. */
async function rested(stage: Stage, missions: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  for (let quiet = 0; Date.now() < until; ) {
    const sight = lookAt(stage.home);
    const idle = sight !== undefined && sight.waiting + sight.turns + sight.outbox + sight.toArchive === 0;
    quiet = idle && stage.existed().length > 0 && sight.accepted.size >= missions ? quiet + 1 : 0;
    if (quiet > 8) return true;
    await systemClock.sleep(300);
  }
  return false;
}
