// What the agents of a run are doing, as its events report it, and how a chat is shown that. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Button } from '#adapters/gateway/terms/channel.ts';
import { escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import { truncate } from '#base/text.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { WireInstance, WireMission, WireSpent } from '#engine/wire/teams/team.ts';

interface AgentProgress {
  name: string;
  task: string;
  status: WireInstance['status'];
  usage?: WireSpent | undefined;
}

/** The agents of one mission by their ids, in the order in which they were started. */
export interface MissionProgress {
  missionID: string;
  agents: ReadonlyMap<string, AgentProgress>;
}

const taskChars = 100;
/** More agents than this are only counted: the message has to fit on every platform. */
const maxLines = 12;

/** The progress after the event; the same object where the event changes nothing. */
export function progressAfter(
  before: MissionProgress | undefined,
  { type, properties }: EngineEvent,
): MissionProgress | undefined {
  const change = (id: string, missionID: string, agent: AgentProgress): MissionProgress => ({
    missionID,
    agents: new Map([...(before?.missionID === missionID ? before.agents : []), [id, agent]]),
  });
  switch (type) {
    case 'agent_team.instance.started': {
      const { instanceID, missionID, display_name: name, task, status } = properties;
      return change(instanceID, missionID, { name, task, status });
    }
    case 'agent_team.budget.usage': {
      const agent = before?.agents.get(properties.instanceID);
      if (agent === undefined) return before;
      return change(properties.instanceID, properties.missionID, { ...agent, usage: properties.usage });
    }
    case 'agent_team.instance.completed':
    case 'agent_team.instance.failed':
    case 'agent_team.instance.cancelled': {
      const { instanceID, missionID, display_name: name, status, usage } = properties;
      const task = before?.agents.get(instanceID)?.task ?? '';
      return change(instanceID, missionID, { name, task, status, usage });
    }
    default:
      return before;
  }
}

/** Whether all of the agents have ended. */
export function isOver({ agents }: MissionProgress): boolean {
  return [...agents.values()].every(isDone);
}

function isDone({ status }: AgentProgress): boolean {
  return status !== 'queued' && status !== 'running';
}

/** The progress of a mission that was read from the engine. */
export function progressOf({ missionID, instances }: WireMission): MissionProgress {
  return {
    missionID,
    agents: new Map(
      instances.map(({ instanceID, display_name: name, task, status, usage }) => [
        instanceID,
        { name, task, status, usage },
      ]),
    ),
  };
}

/** Who does what, what is done, and what it has cost so far, as Markdown. */
export function progressText({ agents }: MissionProgress, { missions: say }: Phrases): string {
  const all = [...agents.values()];
  const lines = all
    .slice(0, maxLines)
    .map(({ name, task, status }) =>
      say.agent({ name: escapeMarkdown(name), task: escapeMarkdown(oneLine(task)), status }),
    );
  const more = all.length > maxLines ? [say.moreAgents({ n: all.length - maxLines })] : [];
  const head = say.progress({ done: all.filter(isDone).length, of: all.length });
  return [head, [...lines, ...more].join('\n'), costText(all, say)].join('\n\n');
}

function costText(all: readonly AgentProgress[], say: Phrases['missions']): string {
  const used = all.flatMap(({ usage }) => usage ?? []);
  const tokens = used.reduce((sum, usage) => sum + usage.tokens, 0);
  const costs = used.map(({ cost_usd: cost }) => cost);
  const isPriced = costs.every((cost) => cost !== undefined);
  const cost = isPriced ? costs.reduce((sum, each) => sum + (each ?? 0), 0) : undefined;
  return say.soFar({ tokens, cost });
}

function oneLine(task: string): string {
  return truncate(task.replace(/\s+/g, ' '), taskChars);
}

/** The button that stops a mission. */
export function missionChoices(missionID: string, { missions }: Pick<Phrases, 'missions'>): Button[] {
  return [{ id: `m:${missionID}:stop`, label: missions.stop }];
}

/** The mission that a pressed button stops; undefined for any other button. */
export function missionChoiceIn(choice: string): string | undefined {
  return /^m:(mis_[0-9a-z]+):stop$/.exec(choice)?.[1];
}
