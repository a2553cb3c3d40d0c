// Commands about what is scheduled: remind, schedule, schedules, unschedule. A schedule speaks only in the chat where it was made.

import type {
  CommandCall,
  CommandHandler,
  CommandReply,
} from '#adapters/gateway/commands/command-context.ts';
import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import { zonesFor } from '#adapters/gateway/commands/times.ts';
import { isOwnRoom } from '#adapters/gateway/ledger/lane.ts';
import { scheduleChoices } from '#adapters/gateway/requests/schedule-choices.ts';
import { type Address, formatAddress, parseAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import {
  byShortID,
  escapeMarkdown,
  paginate,
  refusal,
  shortOf,
} from '#adapters/gateway/terms/command-reply.ts';
import { isAtLeast } from '#adapters/gateway/terms/role.ts';
import { recallableBy } from '#adapters/gateway/turn-files/readable.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { placeTitle, roomTitle } from '#engine/wire/channels/place-title.ts';
import type { Schedule } from '#engine/wire/schedules/schedule.ts';

const shownChars = 200;
const listedChars = 80;
const idOf = ({ id }: Schedule): string => id;

/** `/remind WHEN TEXT`: proposes a reminder, which the person confirms by a button or with `/remind yes`. */
export const remindCommand: CommandHandler = (call) => {
  const [, word, id] = /^(yes|no|ja|nein)(?:\s+`?(\S+?)`?)?$/i.exec(call.args) ?? [];
  if (word === undefined) return propose(call, 'text');
  return decide(call, { isYes: /^(?:yes|ja)$/i.test(word), id });
};

/** `/schedule WHEN TEXT`: proposes a prompt that the assistant answers at that time, which the person confirms by a button. */
export const scheduleCommand: CommandHandler = (call) => propose(call, 'prompt');

/** Makes a schedule that waits for its person's yes, shown as it was understood. */
async function propose(call: CommandCall, kind: Schedule['kind']): Promise<CommandReply> {
  const { args, phrases, command } = call;
  const { schedules: say } = phrases;
  const of = kind === 'text' ? 'remind' : 'schedule';
  if (args === '') throw refusal((texts, named) => texts.schedules.whenAndWhat({ command: named, of }));
  const { made, isZoneKnown } = await create(call, kind);
  const { next_at_ms: next, next_release_at_ms: released, zone, recurrence } = made;
  const shown = {
    text: escapeMarkdown(truncate(made.text, shownChars)),
    when:
      recurrence === undefined && next !== null
        ? say.on({ moment: say.moment({ at: next, zone }) })
        : whenOf(call, made),
    first: recurrence === undefined || next === null ? undefined : say.moment({ at: next, zone }),
  };
  const isQuiet = next !== null && released !== null && released > next;
  const words = [
    kind === 'text' ? say.proposedText(shown) : say.proposedPrompt(shown),
    ...(isQuiet ? [say.isQuiet({ at: say.moment({ at: released, zone }) })] : []),
    ...(isZoneKnown ? [] : [say.zoneAssumed({ zone: zone ?? 'UTC', example: command('zone Berlin') })]),
    say.toConfirm({
      yes: command(`remind yes ${shortOf(made.id)}`),
      no: command(`remind no ${shortOf(made.id)}`),
    }),
  ];
  return { words: words.join('\n\n'), choices: scheduleChoices(made.id, phrases), proposes: made.id };
}

/** In the language of those who read it; of one that does not come again as it was made. */
function whenOf({ phrases }: CommandCall, { recurrence, next_at_ms: next, zone, words }: Schedule): string {
  const { schedules: say } = phrases;
  if (recurrence !== undefined) return say.rule({ rule: recurrence, zone });
  return next === null ? words : say.moment({ at: next, zone });
}

/** In the person's own zone, by what they said or their platform knows; else in the program's. */
async function create(
  call: CommandCall,
  kind: Schedule['kind'],
): Promise<{ made: Schedule; isZoneKnown: boolean }> {
  const { engine, row, args } = call;
  const { own: zone } = await zonesFor(call);
  const made = await engine.createSchedule(
    defined({
      ...{ kind, when: args, person: row.person, chat: formatAddress(row.address) },
      ...{ confirmed: false, zone },
    }),
    { idempotencyKey: `command-${row.id}` },
  );
  return { made, isZoneKnown: zone !== undefined };
}

/** The person's answer to what was proposed here; to the newest where they name none. */
async function decide(
  call: CommandCall,
  { isYes, id }: { isYes: boolean; id: string | undefined },
): Promise<CommandReply> {
  const { engine, phrases } = call;
  const { schedules: say } = phrases;
  const { persons } = selfOf(call);
  const all = await engine.listSchedules({ person: [...persons] });
  const here = all.filter((one) => isIn(call, one));
  const open = here.filter(({ state }) => state === 'proposed');
  // a button that is pressed again finds what it has set
  const meant = id === undefined ? open[0] : byShortID(id, here, idOf);
  if (meant === undefined) throw refusal((texts) => texts.schedules.nothingToConfirm);
  if (!isYes) {
    if (meant.state !== 'proposed') throw refusal((texts) => texts.schedules.nothingToConfirm);
    await engine.deleteSchedule({ id: meant.id, person: [...persons] });
    return { words: say.dropped, decides: meant.id };
  }
  const set = await engine.confirmSchedule({ id: meant.id, persons: [...persons] });
  const short = shortOf(set.id);
  const words = say.set({ id: short, when: whenOf(call, set), remove: call.command(`unschedule ${short}`) });
  return { words, decides: set.id };
}

/** `/schedules`: lists the schedules of this chat, or in private those of the person. */
export const schedulesCommand: CommandHandler = async (call) => {
  const { args, phrases, command } = call;
  const { schedules: say } = phrases;
  const all = (await visible(call)).filter(({ state }) => state !== 'done');
  if (all.length === 0) return say.none({ remind: command('remind WHEN TEXT') });
  const { shown, foot } = paginate(all, { typed: args, words: 'schedules', phrases, command });
  const reach = new Set(call.single ? (await recallableBy(call.row, call)).reach.audiences : []);
  return [
    shown.map((one) => lineOf(call, one, reach)).join('\n'),
    ...(foot === undefined ? [] : [foot]),
    say.howToRemove({ unschedule: command('unschedule ID') }),
  ].join('\n\n');
};

/** The audience of a room, or of a thread that has other readers. */
function audienceOf({ ledger }: CommandCall, address: Address): string {
  const { thread: _, ...room } = address;
  const own = isOwnRoom(ledger, address) ? address : room;
  return `room:${formatAddress(ledger.chatMigrations.originalAddress(own))}`;
}

/** A room is named to those who may read it now: `reach` has the audiences of these. */
function lineOf(call: CommandCall, one: Schedule, reach: ReadonlySet<string>): string {
  const { schedules: say } = call.phrases;
  const { id, kind, text, state, recurrence, next_at_ms: next, zone, reason = '' } = one;
  const [platform = ''] = one.chat.split(':');
  const isShown = reach.has(audienceOf(call, parseAddress(one.chat))) && roomTitle(one) !== undefined;
  const room = isShown ? escapeMarkdown(placeTitle(one)) : undefined;
  const notes = [
    ...(state === 'proposed' ? [say.notConfirmed] : []),
    ...(state === 'stopped' ? [say.stopped({ reason: escapeMarkdown(reason) })] : []),
    ...(isIn(call, one) ? [] : [say.inAnotherChat({ platform, room })]),
  ];
  return say.line({
    id: shortOf(id),
    when: whenOf(call, one),
    text: escapeMarkdown(truncate(text, listedChars)),
    next: recurrence === undefined || next === null ? undefined : say.moment({ at: next, zone }),
    state: notes.length === 0 ? undefined : notes.join(', '),
    isPrompt: kind === 'prompt',
  });
}

/** `/unschedule ID`: deletes a schedule. */
export const unscheduleCommand: CommandHandler = async (call) => {
  const { engine, args, phrases } = call;
  if (args === '') throw refusal((texts, named) => texts.schedules.which({ schedules: named('schedules') }));
  const meant = byShortID(args, await visible(call), idOf);
  const removed = await engine.deleteSchedule({ id: meant.id });
  const words = phrases.schedules.removed({ text: escapeMarkdown(truncate(removed.text, shownChars)) });
  return { words, decides: removed.id };
};

/** In private all that are the person's; in a room those that are theirs there, and to owners everyone's there. */
async function visible(call: CommandCall): Promise<Schedule[]> {
  const { engine, ledger, row, role } = call;
  const own = await engine.listSchedules({ person: [...selfOf(call).persons] });
  if (row.address.kind === 'dm') return own;
  const here = own.filter((one) => isIn(call, one));
  if (!isAtLeast(role, 'owner')) return here;
  const ids = new Set(here.map(idOf));
  // a group that became a supergroup has had two ids
  const rooms = new Set([row.address, ledger.chatMigrations.originalAddress(row.address)].map(formatAddress));
  const others = await Promise.all([...rooms].map((chat) => engine.listSchedules({ chat })));
  return [...here, ...others.flat().filter(({ id }) => !ids.has(id))];
}

/** Whether it speaks in the room of the command, threads included; a thread that is a room of its own has only what speaks in it. */
function isIn({ ledger, row }: CommandCall, { chat }: Schedule): boolean {
  const placeOf = (address: Address): string =>
    isOwnRoom(ledger, address) ? formatAddress(address) : roomOf(address);
  return placeOf(ledger.chatMigrations.currentAddress(parseAddress(chat))) === placeOf(row.address);
}
