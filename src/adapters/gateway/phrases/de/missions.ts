// Deutsch: Agenten, die gemeinsam an einer Antwort arbeiten.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';
import type { InstanceStatus, MissionStatus } from '#engine/wire/teams/team.ts';

const { count, dollars } = formsOf('de');
const marks: Record<InstanceStatus, string> = {
  queued: '⏳',
  running: '⏳',
  completed: '✅',
  failed: '❌',
  cancelled: '⏹️',
  interrupted: '⏸️',
};
const states: Record<MissionStatus, string> = {
  active: 'läuft',
  completed: 'fertig',
  failed: 'fehlgeschlagen',
  cancelled: 'angehalten',
  interrupted: 'unterbrochen',
};

export const missions = {
  progress: ({ done, of }: { done: number; of: number }) =>
    `**${count(of, { one: 'Agent arbeitet', other: 'Agenten arbeiten' })} daran: ${done} von ${of} fertig**`,
  agent: ({ name, task, status }: { name: string; task: string; status: InstanceStatus }) =>
    `- ${marks[status]} **${name}**${task === '' ? '' : `: ${task}`}`,
  moreAgents: ({ n }: { n: number }) =>
    `- und ${count(n, { one: 'weiterer Agent', other: 'weitere Agenten' })}`,
  soFar: ({ tokens, cost }: { tokens: number; cost: number | undefined }) =>
    `Bisher: ${count(tokens, { one: 'Token', other: 'Tokens' })}, ${cost === undefined ? 'der Preis ist nicht bekannt' : dollars(cost)}.`,
  stop: 'Anhalten',
  line: ({ id, state, agents, cost }: { id: string; state: MissionStatus; agents: number; cost: string }) =>
    `- \`${id}\` ${states[state]}, ${count(agents, { one: 'Agent', other: 'Agenten' })}. ${cost}`,
  none: 'In diesem Gespräch haben noch keine Agenten zusammengearbeitet.',
  howToStop: ({ command }: { command: NameCommand }) => `${command('mission stop')} hält an, was läuft.`,
  stopped: 'Ich habe die Agenten angehalten.',
  nothingToStop: 'In diesem Gespräch laufen keine Agenten.',
  unknownWord: ({ command }: { command: NameCommand }) =>
    `${command('mission')} zeigt die Agenten, ${command('mission stop')} hält sie an.`,
};
