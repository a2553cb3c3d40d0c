// `parley schedules ...`: what is sent or begun at which times, looked at and removed. They are made in chats and on the console.
import { z } from 'zod';
import { chatMeant } from '#app/commands/parts/chat-meant.ts';
import { callEngine, type EngineAction, oneID } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { minute, row } from '#app/screen/screen.ts';
import { isNamed, placeTitle } from '#engine/wire/channels/place-title.ts';
import type { Schedule } from '#engine/wire/schedules/schedule.ts';

const schema = z.object({
  chat: z.string().min(1).max(1_000).optional(),
  room: z.string().min(1).max(200).optional(),
});
type Values = z.infer<typeof schema>;

/** Runs one action of `parley schedules`; resolves with 0, or throws a ParleyError. */
export function parleySchedules(input: CommandInput): Promise<number> {
  return callEngine(input, { schema, actions: { list, remove } });
}

const list: EngineAction<Values> = async ({ client, values, json, print }) => {
  const chat = values.chat === undefined ? {} : { chat: await chatMeant(client, values.chat) };
  const all = await client.schedules.list(chat);
  const found =
    values.room === undefined ? all : all.filter(({ names }) => isNamed(names, values.room ?? ''));
  if (json) print(JSON.stringify({ schedules: found }));
  else if (found.length === 0)
    print(all.length === 0 ? 'Nothing is scheduled.' : 'Nothing is scheduled there.');
  else for (const each of found) for (const line of linesOf(each)) print(line);
  return 0;
};

/** Which it is and when, where it speaks, and what it says. */
function linesOf(schedule: Schedule): string[] {
  const { id, state, kind, words, text, next_release_at_ms: next, reason } = schedule;
  const when = next === null ? words : `${words}, next ${minute(next)} UTC`;
  return [
    row(id, state, when),
    row('', placeTitle(schedule)),
    row('', kind === 'prompt' ? `prompt: ${text}` : text),
    ...(reason === undefined ? [] : [row('', `stopped: ${reason}`)]),
  ];
}

const remove: EngineAction<Values> = async (call) => {
  const { client, json, print } = call;
  const removed = await client.schedules.delete(oneID(call, 'the id of a schedule', 'schedules'));
  print(json ? JSON.stringify(removed) : `It is not sent any more: ${removed.words}.`);
  return 0;
};
