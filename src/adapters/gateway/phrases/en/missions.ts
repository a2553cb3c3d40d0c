// English: agents that work together on one answer.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';
import type { InstanceStatus, MissionStatus } from '#engine/wire/teams/team.ts';

const { count, dollars } = formsOf('en');
const marks: Record<InstanceStatus, string> = {
  queued: '⏳',
  running: '⏳',
  completed: '✅',
  failed: '❌',
  cancelled: '⏹️',
  interrupted: '⏸️',
};
const states: Record<MissionStatus, string> = {
  active: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
};

export const missions = {
  progress: ({ done, of }: { done: number; of: number }) =>
    `**${count(of, { one: 'agent works', other: 'agents work' })} on this: ${done} of ${of} done**`,
  agent: ({ name, task, status }: { name: string; task: string; status: InstanceStatus }) =>
    `- ${marks[status]} **${name}**${task === '' ? '' : `: ${task}`}`,
  moreAgents: ({ n }: { n: number }) => `- and ${count(n, { one: 'more agent', other: 'more agents' })}`,
  soFar: ({ tokens, cost }: { tokens: number; cost: number | undefined }) =>
    `So far: ${count(tokens, { one: 'token', other: 'tokens' })}, ${cost === undefined ? 'the price is not known' : dollars(cost)}.`,
  stop: 'Stop',
  line: ({ id, state, agents, cost }: { id: string; state: MissionStatus; agents: number; cost: string }) =>
    `- \`${id}\` ${states[state]}, ${count(agents, { one: 'agent', other: 'agents' })}. ${cost}`,
  none: 'No agents have worked together in this conversation.',
  howToStop: ({ command }: { command: NameCommand }) => `${command('mission stop')} stops what is running.`,
  stopped: 'I stopped the agents.',
  nothingToStop: 'No agents are running in this conversation.',
  unknownWord: ({ command }: { command: NameCommand }) =>
    `Write ${command('mission')} to see the agents, or ${command('mission stop')} to stop them.`,
};
