// One example of what every phrase is given: a phrase without one does not compile.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';

type Functions<T> = {
  [K in keyof T as T[K] extends (data: never) => unknown ? K : never]: T[K] extends (data: infer D) => unknown
    ? D
    : never;
};
export type Samples = { [S in keyof Phrases]: Functions<Phrases[S]> };

const command: NameCommand = (words) => `\`/${words}\``;
const anywhere: NameCommand = (words) => `\`/${words}\` (Slack \`!${words}\`)`;

export const samples: Samples = {
  access: {
    pairingCode: { code: 'K7QX2M', anywhere },
    usedUpByPerson: { limit: '20 LIMIT' },
    usedUpInRoom: { limit: '20 LIMIT' },
    messages: { n: 20 },
    tokens: { n: 1_000 },
    dollars: { amount: 1.5 },
    welcome: { name: 'Ann', role: 'ROLE', command },
    role: { role: 'member' },
    roles: { role: 'owner' },
    sharedName: { name: 'Group' },
    notAnAccountOf: { names: ['Ann', 'Bob'] },
  },
  commands: {
    afterMention: { code: '`!stop`' },
    orOnSlack: { code: '`/stop`', onSlack: '`!stop`' },
  },
  journal: {
    nothingYet: { command },
    moreThere: { n: 3, command: '`/open`' },
    whichOne: { command },
    isDone: { title: 'The lexer' },
    isParked: { title: 'The lexer' },
    empty: { command },
    addHow: { command },
    saved: { id: 'k7qx2m' },
    noDraft: { command },
    needsSummary: { command },
  },
  menu: {},
};
