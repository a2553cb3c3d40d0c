// Commands about a person's own times: zone and quiet hours. They hold on all of the person's accounts.

import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import { commandNamer } from '#adapters/gateway/terms/command-names.ts';
import { refusal } from '#adapters/gateway/terms/command-reply.ts';
import type { CommandCall, CommandHandler } from './command-context.ts';

/**
 * The time zone of the person of a command: as they said it, else as their platform has it, which is theirs from then on; and the one that
 * holds where neither is known, if the program has one.
 */
export async function zonesFor(
  call: CommandCall,
): Promise<{ own: string | undefined; usual: string | undefined }> {
  const { engine } = call;
  const persons = [...selfOf(call).persons];
  const { zone: said, usual_zone: usual } = await engine.personTimes({ person: persons });
  const own = said ?? (await zoneOnPlatform(call));
  if (said === null && own !== undefined) await engine.setPersonTimes({ persons, zone: own });
  return { own, usual: usual ?? undefined };
}

/** As the person has set it on their platform; its failures concern nobody, since they can be asked. */
async function zoneOnPlatform({ channel, row, signal, log }: CommandCall): Promise<string | undefined> {
  return channel.zoneOf?.(row.event.actor.id, signal).catch((error: unknown) => {
    log.debug({ words: channel.explain(error).words }, 'the time zone of a person is not known');
    return undefined;
  });
}

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
    return known.quiet === null ? none : shown(known.quiet, known.zone ?? known.usual_zone);
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
  const { own, usual } = await zonesFor(call);
  const zone = own ?? usual;
  if (zone === undefined)
    throw refusal((texts, name) => texts.schedules.zoneNeeded({ example: name('zone Berlin') }));
  await engine.setPersonTimes({ persons, quiet: { from, until } });
  const assumed = own === undefined ? [say.zoneAssumed({ zone, example: named('zone Berlin') })] : [];
  return [shown({ from, until }, zone), ...assumed].join('\n\n');
};

const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
