// `parley sessions ...`: the conversations, looked at and put in order from the command line.

import { z } from 'zod';
import { chatMeant } from '#app/commands/parts/chat-meant.ts';
import {
  callEngine,
  type EngineAction,
  limitField,
  oneID,
  upTo,
  wordsExpected,
} from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { fact, minute, paragraph, row } from '#app/screen/screen.ts';
import { counted } from '#base/text.ts';
import { placeTitle } from '#engine/wire/channels/place-title.ts';
import { withoutErrorText } from '#engine/wire/sessions/error-text.ts';
import type { WirePart, WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts';

const schema = z.object({
  limit: limitField,
  title: z.string().min(1).max(300).optional(),
  chat: z.string().min(1).max(1_000).optional(),
  room: z.string().min(1).max(200).optional(),
  archived: z.boolean().default(false),
  apply: z.boolean().default(false),
});
type Values = z.infer<typeof schema>;

/** Runs one action of `parley sessions`; resolves with 0, or throws a ParleyError. */
export function parleySessions(input: CommandInput): Promise<number> {
  const actions = {
    compact,
    context,
    list,
    show,
    rename,
    archive,
    unarchive,
    delete: remove,
    export: exportOne,
  };
  return callEngine(input, { schema, actions });
}

const list: EngineAction<Values> = async ({ client, values, json, print }) => {
  const archived = values.archived ? 'all' : 'false';
  const chat = values.chat === undefined ? undefined : await chatMeant(client, values.chat);
  const found = await upTo(values.limit, (page) =>
    client.sessions.list({ ...page, archived, title: values.title, room: values.room, chat }),
  );
  if (json) print(JSON.stringify({ sessions: found }));
  else if (found.length === 0) print('There is no session.');
  else for (const session of found) print(lineOf(session));
  return 0;
};

/** Two lines: what it is called, and where it is. */
function lineOf({ id, time, place, archived, title }: WireSession): string {
  const name = archived === true ? `(archived) ${title}` : title;
  return `${row(id, minute(time.updated * 1000), name)}\n${row('', whereOf(place))}`;
}

/** Where it is, for people. */
const whereOf = (place: WireSession['place']): string => (place === undefined ? 'API' : placeTitle(place));

const show: EngineAction<Values> = async (call) => {
  const { client, json, print } = call;
  const session = await client.sessions.get(oneID(call, 'the id of a session', 'sessions'));
  const todos = await client.sessions.todos(session.id);
  if (json) {
    print(JSON.stringify({ ...session, todos }));
    return 0;
  }
  for (const line of headOf(session)) print(line);
  for (const { status, content } of todos) print(fact('to do', `${status}: ${content}`));
  for (const message of session.messages) {
    print('');
    for (const line of linesOf(message)) print(line);
  }
  return 0;
};

function headOf(session: WireSession): string[] {
  const { id, title, place, time, model, parentID, messages } = session;
  return [
    fact('session', id),
    fact('title', title),
    fact('where', whereOf(place)),
    fact('begun', `${minute(time.created * 1000)} UTC, last used ${minute(time.updated * 1000)}`),
    ...(model === undefined ? [] : [fact('model', `${model.providerID}/${model.modelID}`)]),
    ...(parentID === undefined ? [] : [fact('fork of', parentID)]),
    ...(session.archived === true ? [fact('archived', 'yes')] : []),
    ...(session.shared === true ? [fact('shared', 'yes')] : []),
    fact('messages', String(messages.length)),
  ];
}

function linesOf(message: WireSessionMessage): string[] {
  const { info, parts } = withoutErrorText(message);
  const who = info.role === 'assistant' ? 'assistant' : (info.speaker?.name ?? 'user');
  const lines = parts.flatMap(partLines);
  const failed = info.error === undefined ? [] : paragraph(`[failed: ${info.error.message}]`);
  return [row(minute(info.time.created * 1000), who), ...lines, ...failed];
}

function partLines(part: WirePart): string[] {
  switch (part.type) {
    case 'text':
      return paragraph(part.text);
    case 'reasoning':
      return [];
    case 'tool':
      return paragraph(`[${part.tool}${part.error === undefined ? '' : `: ${part.error}`}]`);
    case 'file':
      return paragraph(`[file ${part.filename ?? 'unnamed'}, ${part.mime}]`);
  }
}

const rename: EngineAction<Values> = async (call) => {
  const [id, ...words] = call.operands;
  const title = words.join(' ').trim();
  if (title === '') throw wordsExpected('an id and a title', 'sessions', call.operands);
  const wanted = oneID({ operands: id === undefined ? [] : [id] }, 'an id and a title', 'sessions');
  return tellChanged(call, await call.client.sessions.update(wanted, { title }));
};

const archive: EngineAction<Values> = async (call) =>
  tellChanged(call, await call.client.sessions.archive(oneID(call, 'the id of a session', 'sessions')));

const unarchive: EngineAction<Values> = async (call) =>
  tellChanged(
    call,
    await call.client.sessions.update(oneID(call, 'the id of a session', 'sessions'), { archived: false }),
  );

function tellChanged(
  { json, print }: { json: boolean; print: (line: string) => void },
  session: WireSession,
): number {
  print(json ? JSON.stringify(session) : lineOf(session));
  return 0;
}

const remove: EngineAction<Values> = async (call) => {
  const { client, values, json, print } = call;
  const { id, messages, title } = await client.sessions.get(oneID(call, 'the id of a session', 'sessions'));
  if (values.apply) await client.sessions.delete(id);
  if (json) print(JSON.stringify({ id, messages: messages.length, deleted: values.apply }));
  else if (values.apply) print(row(`${id} was deleted.`));
  else {
    print(row(`${counted(messages.length, 'message')} would be deleted; nothing was changed: ${title}`));
    print('Add --apply to delete them permanently. What memory has of them stays.');
  }
  return 0;
};

const exportOne: EngineAction<Values> = async (call) => {
  const { client, json, print } = call;
  const session = await client.sessions.get(oneID(call, 'the id of a session', 'sessions'));
  const messages = await client.sessions.messages(session.id, { reverted: true });
  const todos = await client.sessions.todos(session.id);
  print(JSON.stringify({ ...session, messages, todos }, null, json ? undefined : 2));
  return 0;
};

const compact: EngineAction<Values> = async (call) => {
  const { client, json, print } = call;
  const [id, ...words] = call.operands;
  const keep = words.join(' ').trim() || undefined;
  const wanted = oneID({ operands: id === undefined ? [] : [id] }, 'the id of a session', 'sessions');
  const made = await client.sessions.summarize(wanted, { keep });
  if (json) print(JSON.stringify(made));
  else {
    print(row(`${counted(made.messages, 'message')} summarized by ${made.model.modelID}:`));
    for (const line of paragraph(made.text)) print(line);
  }
  return 0;
};

const context: EngineAction<Values> = async (call) => {
  const { client, json, print } = call;
  const held = await client.sessions.context(oneID(call, 'the id of a session', 'sessions'));
  if (json) {
    print(JSON.stringify(held));
    return 0;
  }
  const window = held.windowTokens === null ? '' : ` of ${held.windowTokens}`;
  print(fact('model', held.model.modelID));
  print(fact('tokens', `about ${held.tokens}${window}`));
  if (held.counted !== null)
    print(
      fact('counted', `${held.counted.inputTokens} in ${counted(held.counted.calls, 'call')} of the run`),
    );
  if (held.summary !== null) print(fact('summarized', counted(held.summary.messages, 'message')));
  for (const { name, tokens } of held.sections) print(row(String(tokens).padStart(8), name));
  return 0;
};
