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
  menu: {},
  schedules: {
    moment: { at: Date.UTC(2026, 11, 1, 8), zone: 'Europe/Berlin' },
    rule: { rule: { type: 'interval', minutes: 20 }, zone: null },
    on: { moment: 'MOMENT' },
    reminder: { text: 'TEXT', name: 'Ann' },
    late: { at: 'MOMENT' },
    afterQuiet: { at: 'MOMENT' },
    hook: { name: 'builds', text: 'TEXT' },
    proposedText: { text: 'TEXT', when: 'WHEN', first: 'MOMENT' },
    proposedPrompt: { text: 'TEXT', when: 'WHEN', first: 'MOMENT' },
    isQuiet: { at: 'MOMENT' },
    toConfirm: { yes: '`/remind yes`', no: '`/remind no`' },
    set: { id: 'k7qx2m', when: 'WHEN', remove: '`/unschedule k7qx2m`' },
    whenAndWhat: { command, of: 'remind' },
    none: { remind: '`/remind WHEN TEXT`' },
    line: { id: 'k7qx2m', when: 'WHEN', text: 'TEXT', next: 'MOMENT', state: 'STATE', isPrompt: true },
    howToRemove: { unschedule: '`/unschedule ID`' },
    stopped: { reason: 'REASON' },
    inAnotherChat: { platform: 'discord' },
    which: { schedules: '`/schedules`' },
    removed: { text: 'TEXT' },
    zone: { zone: 'Europe/Berlin', now: 'MOMENT' },
    noZone: { example: '`/zone Berlin`' },
    zoneNeeded: { example: '`/zone Berlin`' },
    quiet: { from: '22:00', until: '07:00', zone: 'Europe/Berlin', off: '`/quiet off`' },
    noQuiet: { example: '`/quiet 22:00-07:00`' },
    quietForm: { example: '`/quiet 22:00-07:00`' },
    stoppedNotice: { text: 'TEXT', when: 'WHEN', reason: 'REASON' },
    stoppedHook: { name: 'builds', reason: 'REASON' },
  },
};
