// `parley hook ...`: webhooks, by which programs put something into a chat.
import { z } from 'zod';
import { chatMeant } from '#app/commands/parts/chat-meant.ts';
import { wholeNumber } from '#app/commands/parts/checked-options.ts';
import { callEngine, type EngineAction, oneID } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { row } from '#app/screen/screen.ts';
import type { NewHook } from '#engine/wire/schedules/hook.ts';

const schema = z.object({
  chat: z.string().min(1).max(1_000).optional(),
  template: z.string().min(1).max(4_000).optional(),
  kind: z.enum(['text', 'prompt']).optional(),
  'per-minute': wholeNumber({ from: 1, to: 1000 }).optional(),
});
type Values = z.infer<typeof schema>;

/** Runs one action of `parley hook`; resolves with its exit code. */
export function parleyHook(input: CommandInput): Promise<number> {
  return callEngine(input, {
    schema,
    actions: { create, list, delete: remove, test },
  });
}

const create: EngineAction<Values> = async (call) => {
  const { client, values, json, print } = call;
  const { chat: typed = '', template, kind, 'per-minute': perMinute } = values;
  const chat = await chatMeant(client, typed);
  const input: NewHook = {
    name: oneID(call, 'a name'),
    chat,
    ...(template === undefined ? {} : { template }),
    ...(kind === undefined ? {} : { kind }),
    ...(perMinute === undefined ? {} : { per_minute: perMinute }),
  };
  const made = await client.hooks.create(input);
  if (json) print(JSON.stringify(made));
  else {
    print(`POST /hook/${made.name}`);
    print(`secret ${made.secret}`);
    print('The secret is shown only now.');
  }
  return 0;
};

const list: EngineAction<Values> = async ({ client, json, print }) => {
  const all = await client.hooks.list();
  const titles = json
    ? undefined
    : new Map((await client.places.named()).map(({ chat, title }) => [chat, title]));
  const titleOf = (chat: string): string => titles?.get(chat) ?? chat;
  if (json) print(JSON.stringify({ hooks: all }));
  else if (all.length === 0) print('There is no webhook.');
  else for (const { name, kind, state, chat } of all) print(row(name, kind, state, titleOf(chat)));
  return 0;
};

const remove: EngineAction<Values> = async (call) => {
  const { name } = await call.client.hooks.delete(oneID(call, 'the name of a webhook'));
  call.print(call.json ? JSON.stringify({ deleted: name }) : `${name} is deleted.`);
  return 0;
};

const test: EngineAction<Values> = async (call) => {
  const name = oneID(call, 'the name of a webhook');
  await call.client.hooks.test(name);
  call.print(call.json ? JSON.stringify({ sent: name }) : 'A test message is on its way into the chat.');
  return 0;
};
