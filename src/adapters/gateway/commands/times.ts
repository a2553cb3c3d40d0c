// Commands about a person's own times: zone and quiet hours. They hold on all of the person's accounts.

import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import type { CommandHandler } from './command-context.ts';
import { commandNamer } from './naming.ts';
import { refusal } from './reply.ts';

/** `/zone [PLACE]`: shows or sets the person's time zone, on all of their accounts. */
export const zoneCommand: CommandHandler = async (call) => {
  const { engine, row, args, clock, phrases } = call;
  const { schedules: say } = phrases;
  const named = commandNamer(row.address, phrases);
  const persons = [...selfOf(call).persons];
  const shown = (its: string): string =>
    say.zone({ zone: its, now: say.moment({ at: clock.now(), zone: its }) });
  if (args !== '') return shown((await engine.setPersonTimes({ persons, zone: args })).zone ?? args);
  const { zone: known } = await engine.personTimes({ person: persons });
  return known === null ? say.noZone({ example: named('zone Berlin') }) : shown(known);
};

const example = 'quiet 22:00-07:00';
const span =
  /^(\d{1,2})(?::(\d{2}))?\s*(?:h|uhr)?\s*(?:-|–|—|to|until|bis)\s*(\d{1,2})(?::(\d{2}))?\s*(?:h|uhr)?$/i;

/** `/quiet [FROM-UNTIL | off]`: shows, sets or removes the person's quiet hours, on all of their accounts. */
export const quietCommand: CommandHandler = async (call) => {
  const { engine, row, args, phrases } = call;
  const { schedules: say } = phrases;
  const named = commandNamer(row.address, phrases);
  const persons = [...selfOf(call).persons];
  const none = say.noQuiet({ example: named(example) });
  const shown = ({ from, until }: { from: string; until: string }, its: string | null): string =>
    say.quiet({ from, until, zone: its ?? 'UTC', off: named('quiet off') });
  if (args === '') {
    const known = await engine.personTimes({ person: persons });
    return known.quiet === null ? none : shown(known.quiet, known.zone);
  }
  if (/^(?:off|none|aus|nein)$/i.test(args)) {
    await engine.setPersonTimes({ persons, quiet: null });
    return none;
  }
  const [, h1 = '', m1 = '00', h2 = '', m2 = '00'] = span.exec(args) ?? [];
  const [from, until] = [`${h1.padStart(2, '0')}:${m1}`, `${h2.padStart(2, '0')}:${m2}`];
  if (!isTime(from) || !isTime(until))
    throw refusal((texts, name) => texts.schedules.quietForm({ example: name(example) }));
  if (from === until) throw refusal((texts) => texts.schedules.quietIsEmpty);
  const { zone: its } = await engine.personTimes({ person: persons });
  if (its === null)
    throw refusal((texts, name) => texts.schedules.zoneNeeded({ example: name('zone Berlin') }));
  const set = await engine.setPersonTimes({ persons, quiet: { from, until } });
  return shown(set.quiet ?? { from, until }, set.zone);
};

const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
