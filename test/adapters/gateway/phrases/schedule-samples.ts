// One example of what every phrase about schedules is given.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';

/** What each phrase of a subject that takes something is given. */
export type FunctionsOf<T> = {
  [K in keyof T as T[K] extends (data: never) => unknown ? K : never]: T[K] extends (data: infer D) => unknown
    ? D
    : never;
};

const command: NameCommand = (words) => `\`/${words}\``;

export const schedules: FunctionsOf<Phrases['schedules']> = {
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
  zoneAssumed: { zone: 'Europe/Berlin', example: '`/zone Berlin`' },
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
  noPattern: { pattern: '`PATTERN`' },
  neverComes: { when: 'WHEN' },
  tooFar: { at: 'MOMENT' },
  moreText: { rest: '`REST`' },
  isPast: { at: 'MOMENT' },
  tooOften: { when: 'WHEN', minutes: 15 },
  tooMany: { limit: 50, command },
  unknownZone: { typed: '`berlinn`', nearest: 'Europe/Berlin' },
  notFound: { command },
  quietForm: { example: '`/quiet 22:00-07:00`' },
  stoppedNotice: { text: 'TEXT', when: 'WHEN', reason: 'REASON' },
  stoppedHook: { name: 'builds', reason: 'REASON' },
};
