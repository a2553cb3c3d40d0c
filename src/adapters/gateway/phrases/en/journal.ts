// English: the work journal of a chat.
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';

export const journal = {
  nothingYet: ({ command }: { command: NameCommand }) =>
    `Nothing was handed over in this chat yet. ${command('handoff')} writes down what was decided and what is open.`,
  latest: 'Latest session',
  open: 'Open',
  next: 'Next steps',
  decided: 'Decided',
  context: 'To remember',
  learned: 'Learned',
  nothingOpen: 'Nothing is open here.',
  nothingDecided: 'Nothing was decided here yet.',
  nothingLearned: 'Nothing was learned here yet.',
  noProject: 'no project',
  noSuchPlace: ({
    named,
    projects,
    agents,
    near,
  }: Record<'projects' | 'agents' | 'near', string[]> & { named: string }) =>
    `There is no project or agent ${named} here, but the projects ${projects.join(', ')} and the agents ${agents.join(', ')}.${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''}`,
  narrow: ({ n, command }: { n: number; command: NameCommand }) =>
    `${n} more are not in this list. Narrow it by project or agent: ${command('open PROJECT')}, ${command('open agent:NAME')}.`,
  isAnswered: ({ title, agent }: { title: string; agent: string }) =>
    `${agent} reads your answer when it works again: ${title}`,
  isChosen: ({ holds, superseded }: { holds: string; superseded: string[] }) =>
    `This holds now: ${holds}\n\nIt takes the place of: ${superseded.join('; ')}`,
  asksWhich: 'This asks which of two memories holds, so it is done once you choose one.',
  wasSettled: ({ title, how, holds }: { title: string; how: string; holds: string | undefined }) =>
    `That is settled already: ${title}${how === '' ? '' : `\n\n${how}`}${holds === undefined ? '' : `\n\nThis holds: ${holds}`}`,
  chooseHow: ({ command }: { command: string }) =>
    `Both memories stand until you choose: ${command}, or the other number.`,
  moreThere: ({ n, command }: { n: number; command: string }) => `${n} more: ${command}.`,
  whichOne: ({ command }: { command: NameCommand }) =>
    `Which one? ${command('open')} lists them with their ids.`,
  isDone: ({ title }: { title: string }) => `Done: ${title}`,
  isParked: ({ title }: { title: string }) => `Set aside: ${title}`,
  proposed: 'This is what I would write down of this session.',
  empty: ({ command }: { command: NameCommand }) =>
    `I have no proposal for this session. Write what is to be handed over, a line each: ${command('handoff summary: TEXT')}, with \`decision:\`, \`open:\`, \`next:\` or \`context:\` in the same way.`,
  addHow: ({ command }: { command: NameCommand }) =>
    `_(${command('handoff decision: TEXT')} adds to it; so do \`summary:\`, \`open:\`, \`next:\` and \`context:\`. ${command('handoff save')} stores it, ${command('handoff drop')} does not.)_`,
  settled: 'Done since',
  carriedOn: 'Stays open',
  save: 'Save it',
  drop: 'Do not save',
  saved: ({ id }: { id: string }) => `The session is handed over (\`${id}\`).`,
  dropped: 'Nothing was saved.',
  noDraft: ({ command }: { command: NameCommand }) =>
    `There is no handoff to decide on here. ${command('handoff')} begins one.`,
  needsSummary: ({ command }: { command: NameCommand }) =>
    `A summary is missing: write ${command('handoff summary: TEXT')} first. Nothing was saved.`,
  notYours: 'This handoff is for the person who began it.',
};
