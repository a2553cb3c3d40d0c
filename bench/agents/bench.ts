// `npm run bench:agents`: what an agent of a mission costs more than the same prompt in a plain session, in one run, and whether any
// mission went over its budget. The last line is JSON with `ok`; it exits with 1 where a goal is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createLog } from '#base/log/log.ts';
import { createEngine } from '#engine/engine.ts';
import type { WireMission } from '#engine/wire/teams/team.ts';
import { createMemory } from '#memory/memory.ts';
import { startScripted, teamOf } from '../../test/engine/teams/team-kit.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { atMost, conclude } from '../harness/conclude.ts';

/** Instances of each mission, started at once. */
const width = 5;
const goal = 1.5;
/** Missions before those that are measured: the first ones load code. */
const warmUp = 3;
const missionBudget = { tokens: 60_000, steps: 30, toolCalls: 40, ms: 600_000, microUSD: 600_000 };

const {
  values: { missions, delay: delayMs },
} = argumentsOf({
  name: 'bench:agents',
  about:
    'Measures what an agent of a mission costs more than the same prompt in a plain session. The last line is JSON with `ok`; it exits with 1 where a goal is missed.',
  options: {
    missions: { standard: 100, least: 1, most: 1_000, about: 'missions' },
    delay: { standard: 100, least: 0, most: 10_000, about: 'milliseconds of the model' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const ending: (() => unknown)[] = [];
const model = await startScripted(
  { after: (end) => void ending.push(end as () => unknown) },
  async ({ prompt }) => {
    await systemClock.sleep(delayMs);
    return { text: `Found: ${prompt}`, usage: { input: 400, output: 40 } };
  },
);
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const newId = createIds(systemClock);
const memory = createMemory({ path: join(folder, 'memory.sqlite'), clock: systemClock, newId });
const engine = await createEngine({
  ...{ path: join(folder, 'engine.sqlite'), clock: systemClock, newId, memory, sharing: 'space' },
  log: createLog({ level: 'silent', mask: (text) => text }),
  model: model.settings,
  agent: { name: 'parley', systemPrompt: 'You are a researcher.' },
  team: teamOf({ missionBudget, maxConcurrent: width, maxChildren: width, costPer1kTokensUSD: 0.01 }),
});

const promptOf = (mission: number, agent: number): string => `Look up figure ${agent} of place ${mission}.`;
const timed = async (work: () => Promise<string>): Promise<number> => {
  const from = performance.now();
  await engine.finished(await work());
  return performance.now() - from;
};
const all = (work: (agent: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: width }, (_, agent) => work(agent)));

/** From the request to the end of the agent's run. */
const asAgents = (mission: number): Promise<number[]> =>
  all((agent) =>
    timed(async () => {
      const request = {
        templateID: 'researcher',
        prompt: promptOf(mission, agent),
        missionID: `mis_${mission}`,
      };
      const outcome = await engine.spawn({ ...request, source: 'orchestrator_runtime' });
      if (!outcome.ok || outcome.runID === undefined)
        throw new Error(`not started: ${JSON.stringify(outcome)}`);
      return outcome.runID;
    }),
  );
/** From the request for a session to the end of its run. */
const asSessions = (mission: number): Promise<number[]> =>
  all((agent) =>
    timed(async () => {
      const { id } = await engine.createSession({});
      const parts = [{ type: 'text' as const, text: promptOf(mission, agent) }];
      const outcome = await engine.prompt(id, { parts });
      if (outcome.status !== 'started') throw new Error(`not started: ${outcome.status}`);
      return outcome.runID;
    }),
  );

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const isOver = ({ usage, budget }: WireMission): boolean =>
  usage.tokens > (budget.max_tokens ?? 0) ||
  usage.steps > (budget.max_steps ?? 0) ||
  usage.tool_calls > (budget.max_tool_calls ?? 0) ||
  usage.duration_ms > (budget.max_duration_ms ?? 0) ||
  (usage.cost_usd ?? 0) > (budget.max_cost_usd ?? 0);

try {
  print(
    `${missions} missions of ${width} agents, and the same prompts as plain sessions; a call of the model takes ${delayMs} ms.`,
  );
  const [agents, sessions]: [number[], number[]] = [[], []];
  for (let mission = 0; mission < missions + warmUp; mission += 1) {
    // by turns, and each first in half of them: what slows the machine slows both
    const first = mission % 2 === 0 ? await asAgents(mission) : await asSessions(mission);
    const second = mission % 2 === 0 ? await asSessions(mission) : await asAgents(mission);
    if (mission < warmUp) continue;
    agents.push(...(mission % 2 === 0 ? first : second));
    sessions.push(...(mission % 2 === 0 ? second : first));
  }
  const made = (
    await Promise.all(
      Array.from({ length: missions + warmUp }, (_, mission) =>
        engine.missions({ missionID: `mis_${mission}` }),
      ),
    )
  ).flat();
  const instances = made.flatMap((mission) => mission.instances);
  const figures = Object.fromEntries(
    (
      [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const
    ).map(([name, share]) => {
      const [agent, session] = [percentile(agents, share), percentile(sessions, share)];
      print(
        `${name}  agent ${agent.toFixed(0).padStart(5)} ms   session ${session.toFixed(0).padStart(5)} ms   ratio ${(agent / session).toFixed(2)}`,
      );
      return [
        name,
        {
          agentMs: Math.round(agent),
          sessionMs: Math.round(session),
          ratio: Number((agent / session).toFixed(3)),
        },
      ];
    }),
  );
  const overshot = made.filter(isOver).length;
  const unfinished = instances.filter(({ status }) => status !== 'completed').length;
  const missing = (missions + warmUp) * width - instances.length;
  conclude(
    { goal, missions, width, delayMs, instances: instances.length, unfinished, overshot, ...figures },
    [
      ...atMost('missions over their budget', overshot, 0),
      ...atMost('agents that did not complete', unfinished, 0),
      ...atMost('agents that are missing', Math.abs(missing), 0),
      ...Object.entries(figures).flatMap(([name, { ratio }]) =>
        atMost(`${name} of an agent by that of a session`, ratio, goal),
      ),
    ],
  );
} finally {
  await engine.close();
  await memory.close();
  for (const end of ending) await end();
  rmSync(folder, { recursive: true, force: true });
}
