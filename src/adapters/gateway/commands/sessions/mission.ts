// `/mission`: the agents that work, or have worked, together in this conversation; `/mission stop` stops them.

import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { progressOf, progressText } from '#adapters/gateway/requests/mission-progress.ts';
import { byShortID, refusal, shortOf } from '#adapters/gateway/terms/command-reply.ts';
import type { WireMission } from '#engine/wire/teams/team.ts';

/** Earlier ones are in the HTTP API. */
const maxShown = 5;

/** `/mission [stop ID]`: shows the agents that work in this conversation, or stops them. */
export const missionCommand: CommandHandler = async (call) => {
  const { args, phrases, command } = call;
  const { missions: say } = phrases;
  const [word = '', id, ...more] = args.trim().split(/\s+/);
  const all = await missionsHere(call);
  if (word === 'stop' && more.length === 0) return stop(call, all, id);
  if (word !== '') throw refusal(({ missions }, named) => missions.unknownWord({ command: named }));
  if (all.length === 0) return say.none;
  const [newest, ...earlier] = all.slice(0, maxShown);
  const shown = newest === undefined ? [] : [progressText(progressOf(newest), phrases)];
  const lines = earlier.map((one) =>
    say.line({
      id: shortOf(one.missionID),
      state: one.status,
      agents: one.instances.length,
      cost: say.soFar({ tokens: one.usage.tokens, cost: one.usage.cost_usd }),
    }),
  );
  const how = all.some(({ status }) => status === 'active') ? [say.howToStop({ command })] : [];
  return [...shown, ...(lines.length === 0 ? [] : [lines.join('\n')]), ...how].join('\n\n');
};

async function missionsHere({ engine, ledger, row }: CommandCall): Promise<WireMission[]> {
  const sessionID = ledger.bindings.sessionOf(row.lane);
  return sessionID === undefined ? [] : engine.missions({ sessionID });
}

/** Stops the named one, or all that are active; a button that is pressed again finds nothing to stop. */
async function stop(
  { engine, phrases: { missions: say } }: CommandCall,
  all: readonly WireMission[],
  id: string | undefined,
): Promise<string> {
  const active = all.filter(({ status }) => status === 'active');
  const meant = id === undefined ? active : [byShortID(id, active, ({ missionID }) => missionID)];
  const found = meant.flatMap((one) => one ?? []);
  if (found.length === 0) throw refusal(({ missions }) => missions.nothingToStop);
  for (const { missionID } of found) await engine.cancelMission({ missionID });
  return say.stopped;
}
