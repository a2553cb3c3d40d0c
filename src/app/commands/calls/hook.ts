// `parley hook ...`: webhooks, by which programs put something into a chat.
import { z } from 'zod';
import { chatMeant, requireKnownChat, whereFrom } from '#app/commands/parts/chat-meant.ts';
import { wholeNumber } from '#app/commands/parts/checked-options.ts';
import { callEngine, type EngineAction, oneID } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { advice, paragraph, row } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { NewHook } from '#engine/wire/schedules/hook.ts';

const schema = z.object({
  chat: z.string().min(1).max(1_000).optional(),
  template: z.string().min(1).max(4_000).optional(),
  kind: z.enum(['text', 'prompt']).optional(),
  'per-minute': wholeNumber({ from: 1, to: 1000 }).optional(),
  unchecked: z.boolean().default(false),
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
  const { client, url, values, json, print } = call;
  const { chat: typed, template, kind, 'per-minute': perMinute, unchecked } = values;
  const name = oneID(call, 'a name', 'hook');
  if (typed === undefined)
    throw new ParleyError('invalid_usage', 'Expected --chat CHAT: where it writes.', { hint: whereFrom });
  const chat = await chatMeant(client, typed);
  if (!unchecked) await requireKnownChat(client, chat);
  const input: NewHook = {
    name,
    chat,
    ...(template === undefined ? {} : { template }),
    ...(kind === undefined ? {} : { kind }),
    ...(perMinute === undefined ? {} : { per_minute: perMinute }),
  };
  const made = await client.hooks.create(input);
  if (json) print(JSON.stringify(made));
  else {
    const address = url ?? 'ADDRESS';
    print(`POST ${address}/hook/${made.name}`);
    print(`Authorization: Bearer ${made.secret}`);
    const when = url === undefined ? ' ADDRESS is what "parley start" prints.' : '';
    for (const line of advice(
      `Programs send their text there, with this header. The secret is shown only now.${when} "parley hook test ${made.name}" tries it.`,
    ))
      print(line);
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
  else
    for (const { name, kind, state, chat, reason } of all) {
      print(row(name, kind, state, titleOf(chat)));
      if (state === 'stopped')
        for (const line of paragraph(
          `It stopped: ${reason ?? 'it could not be sent'}. Once that is mended, delete it and make it again.`,
        ))
          print(line);
    }
  return 0;
};

const remove: EngineAction<Values> = async (call) => {
  const { name } = await call.client.hooks.delete(oneID(call, 'the name of a webhook', 'hook'));
  call.print(call.json ? JSON.stringify({ deleted: name }) : `${name} is deleted.`);
  return 0;
};

/** How long the outcome of a test is waited for, in milliseconds: a task takes as long as its model. */
const testMs = 60_000;

const test: EngineAction<Values> = async (call) => {
  const { client, running, json, print } = call;
  const name = oneID(call, 'the name of a webhook', 'hook');
  const found = (await client.hooks.list()).find((hook) => hook.name === name);
  if (found === undefined)
    throw new ParleyError('not_found', `There is no webhook ${JSON.stringify(name)}.`, {
      hint: '"parley hook list" shows them.',
    });
  if (!running)
    throw new ParleyError('not_running', 'No Parley runs with this home folder, so nothing would be sent.', {
      hint: 'Start it with "parley start", then call this again.',
    });
  const { status, reason } = await client.hooks.test(name, { wait_ms: testMs });
  if (json) print(JSON.stringify({ name, status, ...defined({ reason }) }));
  else if (status === 'sent') print('The test message was sent.');
  else
    for (const line of advice(
      status === 'waiting' || status === 'accepted'
        ? `The test message was not sent within ${testMs / 1000} seconds. It still waits; "parley status" shows how the channel is.`
        : `The test message was not sent: ${reason ?? status}.`,
    ))
      print(line);
  return status === 'sent' ? 0 : 1;
};
