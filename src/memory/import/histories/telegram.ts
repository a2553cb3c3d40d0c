// The JSON export of Telegram Desktop ("Export chat history", or all of one's data): each chat an item of its own.
// The form is that of Telegram/SourceFiles/export/output/export_output_json.cpp in telegramdesktop/tdesktop, `JsonWriter`.
import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { type ArchiveFile, openArchive } from '#memory/import/items/archive.ts';
import { type ImportContext, type Item, limitsOf } from '#memory/import/items/item.ts';
import { type JsonValue, jsonValues } from '#memory/import/items/json-stream.ts';
import { conversationOf, type HistoryChat } from '#memory/import/items/room.ts';
import { draftsOf, type ImportedMessage } from '#memory/import/items/turn.ts';
import { telegramTurn } from './telegram-message.ts';

const chatSchema = z.object({ id: z.number(), type: z.string().nullish(), name: z.string().nullish() });
type Chat = z.infer<typeof chatSchema>;

/** The chats of a whole export, also those that its owner has left; a single chat is the whole file. */
const chatPaths = ['$.chats.list.*', '$.left_chats.list.*', '$'] as const;
const messagePaths = chatPaths.map((path) => `${path}.messages.*`);
const chatFields = chatPaths.flatMap((path) => [`${path}.id`, `${path}.type`, `${path}.name`]);
/** Lists in a whole export that hold no messages. */
const otherPaths = [
  ...['contacts', 'frequent_contacts', 'sessions', 'web_sessions'].map((name) => `$.${name}.list.*`),
  '$.profile_pictures.*',
  '$.stories.*',
];
const otherLists = new Set(otherPaths.map((path) => path.split('.')[1]));
/** What is read of a message; a change here reads what was imported before once more. */
const readerVersion = '2';
/** Telegram Desktop writes `result.json` into the folder that it makes; one above it may hold several of those. */
const depth = 2;

/** A chat as the first reading of the file finds it. */
interface Found {
  /** Where in the file it is: `chats 3`, or nothing. */
  key: string;
  fields: Record<string, unknown>;
  messages: number;
  hash: Hash;
}

/** The chats of an export, in the order of its files. Throws a ParleyError `nothing_to_import` that says what to do when it is none. */
export async function telegramItems(
  path: string,
  reading: ImportContext,
): Promise<{ items: Item[]; close: () => void }> {
  const isWanted = (name: string): boolean =>
    /(?:^|\/)(?:result\.json|messages\d*\.html|export_results\.html)$/.test(name);
  const archive = await openArchive(path, { ...limitsOf(reading), isWanted, depth });
  const open: { end(): Promise<void> }[] = [];
  const close = (): void => {
    for (const { end } of open) void end();
    archive.close();
  };
  const { files } = archive;
  try {
    const results = files.filter(({ name }) => !name.endsWith('.html'));
    if (results.length === 0) throw noExport(path, files.length > 0);
    const items: Item[] = [];
    for (const file of results) {
      const messages = messagesOf(file, reading.request.signal);
      open.push(messages);
      items.push(...(await itemsOf(file, { reading, messages })));
    }
    return { items, close };
  } catch (error) {
    close();
    throw error;
  }
}

function noExport(path: string, isHtml: boolean): ParleyError {
  const what = isHtml
    ? `${path} is an export as HTML, which names neither chats nor people by their ids`
    : `${path} holds no result.json of Telegram Desktop`;
  return new ParleyError('nothing_to_import', `${what}.`, {
    hint: 'Export again in Telegram Desktop with the format "Machine-readable JSON", and name the folder or its result.json.',
  });
}

async function itemsOf(
  file: ArchiveFile,
  { reading, messages }: { reading: ImportContext; messages: Messages },
): Promise<Item[]> {
  const { chats, others } = await survey(file, reading.request.signal);
  reading.tally.skip('other', others);
  return chats.map((found) => {
    const { fields, hash, key } = found;
    const checked = chatSchema.safeParse(fields);
    return {
      path: `${file.path}/${checked.success ? checked.data.id : key}`,
      async open() {
        if (!checked.success)
          throw new ParleyError(
            'invalid_value',
            `${file.path}, ${key}: ${formatZodError(checked.error).join('; ')}`,
          );
        const chat = checked.data;
        const turns = turnsOf(messages.of(found), { chat, path: file.path, reading });
        return {
          contentHash: hash.copy().digest('hex'),
          read: () => draftsOf(turns, conversationOf(chatOf(chat), reading), reading),
          isSound: true,
        };
      },
    };
  });
}

/** The chats with the digests of what is in them, and how many entries are no messages. Reads the file to its end. */
async function survey(file: ArchiveFile, signal: AbortSignal | undefined) {
  const chats = new Map<string, Found>();
  let other = 0;
  for await (const { path, value } of jsonValues(
    file,
    [...messagePaths, ...chatFields, ...otherPaths],
    signal,
  )) {
    if (otherLists.has(String(path[0]))) {
      other += 1;
      continue;
    }
    const key = keyOf(path);
    let chat = chats.get(key);
    if (chat === undefined) {
      chat = { key, fields: {}, messages: 0, hash: createHash('sha256').update(`telegram ${readerVersion}`) };
      chats.set(key, chat);
    }
    chat.hash.update(`${JSON.stringify(value)}\n`);
    const field = path.at(-1);
    if (typeof field === 'string') chat.fields[field] = value;
    else chat.messages += 1;
  }
  const single = chats.get('');
  if (single !== undefined && single.fields.id === undefined)
    throw new ParleyError(
      'nothing_to_import',
      `${file.path} is no export of Telegram Desktop: it names no chat.`,
      {
        hint: 'Name the folder that Telegram Desktop wrote, or its result.json; a file of another platform has another --format.',
      },
    );
  return { chats: [...chats.values()], others: other };
}

/** `chats 3`, `left_chats 0`; nothing for the only chat of a file. */
function keyOf(path: JsonValue['path']): string {
  return path[1] === 'list' ? `${path[0]} ${path[2]}` : '';
}

interface Messages {
  /** Those of one chat. One reading of the file continues from chat to chat; one that was passed starts it over. */
  of(chat: Found): AsyncGenerator<unknown>;
  end(): Promise<void>;
}

function messagesOf(file: ArchiveFile, signal: AbortSignal | undefined): Messages {
  let values: AsyncGenerator<JsonValue> | undefined;
  let next: JsonValue | undefined;
  const advance = async (): Promise<void> => {
    const step = await values?.next();
    next = step === undefined || step.done === true ? undefined : step.value;
  };
  const passed = new Set<string>();
  return {
    async *of({ key, messages }) {
      if (messages === 0) return;
      if (values === undefined || passed.has(key)) {
        await values?.return(undefined);
        values = jsonValues(file, messagePaths, signal);
        passed.clear();
        await advance();
      }
      while (next !== undefined && keyOf(next.path) !== key) {
        passed.add(keyOf(next.path));
        await advance();
      }
      passed.add(key);
      while (next !== undefined && keyOf(next.path) === key) {
        yield next.value;
        await advance();
      }
    },
    end: async () => void (await values?.return(undefined)),
  };
}

async function* turnsOf(
  messages: AsyncIterable<unknown>,
  { chat, path, reading }: { chat: Chat; path: string; reading: ImportContext },
): AsyncGenerator<ImportedMessage> {
  let number = 0;
  for await (const value of messages) {
    number += 1;
    const what = `${path}, chat ${chat.id}, message ${number}`;
    const turn = telegramTurn(value, { chatName: chat.name, what, tally: reading.tally });
    if (turn !== undefined) yield turn;
  }
}

function chatOf({ id, type }: Chat): HistoryChat {
  const isOpen = type?.startsWith('public_') === true;
  switch (type) {
    case 'private_group':
      return roomOf(`-${id}`, { kind: 'group', isOpen });
    case 'private_supergroup':
    case 'public_supergroup':
      return roomOf(`-100${id}`, { kind: 'group', isOpen });
    case 'private_channel':
    case 'public_channel':
      return roomOf(`-100${id}`, { kind: 'channel', isOpen });
    default:
      return { platform: 'telegram', kind: 'dm', chat: String(id) };
  }
}

/** Bots know groups by these ids (https://core.telegram.org/api/bots/ids). */
function roomOf(chat: string, { kind, isOpen }: { kind: 'group' | 'channel'; isOpen: boolean }): HistoryChat {
  return { platform: 'telegram', kind, space: chat, chat, open: isOpen };
}
