// The zip that a Slack workspace exports, or its folder: each day of each channel an item of its own. Not Slack's API.
// What is in it: https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports. slackdump writes the same form.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import { type ArchiveFile, openArchive } from '#memory/import/items/archive.ts';
import { digest, type ImportContext, type Item, limitsOf, textOf } from '#memory/import/items/item.ts';
import { conversationOf, type HistoryChat } from '#memory/import/items/room.ts';
import type { Tally } from '#memory/import/items/tally.ts';
import { draftsOf, type ImportedMessage } from '#memory/import/items/turn.ts';
import { type ImportedWorkspace, slackTurn } from './slack-message.ts';

const text = z.string().nullish();
const userSchema = z.object({
  id: z.string(),
  team_id: z.string().optional(),
  name: z.string().optional(),
  real_name: text,
  profile: z.object({ display_name: text, real_name: text }).optional(),
});
const channelSchema = z.object({
  id: z.string(),
  name: text,
  is_private: z.boolean().optional(),
});
const listSchema = z.array(z.unknown());
const dayName = /^[^/]+\/\d{4}-\d\d-\d\d\.json$/;

/** Files at the top of an export that name its chats: which kind each of them is. */
const lists = {
  'channels.json': { kind: 'channel', open: true },
  'groups.json': { kind: 'channel', open: false },
  'mpims.json': { kind: 'group', open: false },
  'dms.json': { kind: 'dm', open: false },
} as const;

/** One of these is at the top of every export. */
const marks = new Set(['users.json', 'org_users.json']);
/** What is read of a message; a change here reads what was imported before once more. */
const readerVersion = '2';

interface Chats extends ImportedWorkspace {
  /** By the name of their folder: that of the channel, or its id. */
  chats: Map<string, HistoryChat>;
}

/** The days of an export, and what lets go of it. Throws a ParleyError that says what to do when it is none. */
export async function slackItems(
  path: string,
  reading: ImportContext,
): Promise<{ items: Item[]; close: () => void }> {
  const isWanted = (name: string): boolean => /\.(?:json|txt)$/.test(name);
  const { files, close } = await openArchive(path, { ...limitsOf(reading), isWanted });
  try {
    const tops = topsOf(files);
    if (tops.length === 0) throw noExport(path, files);
    const items: Item[] = [];
    for (const top of tops) {
      const workspace = await workspaceOf(files, top);
      const days = files.filter(({ name }) => name.startsWith(top) && dayName.test(name.slice(top.length)));
      items.push(...days.map((file) => itemOf(file, { top, workspace, reading })));
    }
    return { items, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Where exports begin: at the top; in a folder of it, where someone packed the folder and not what is in it; or in several. Each ends with
 * a slash or is empty.
 */
function topsOf(files: readonly ArchiveFile[]): string[] {
  const tops = files.flatMap(({ name }) => {
    const at = name.lastIndexOf('/') + 1;
    return marks.has(name.slice(at)) ? [name.slice(0, at)] : [];
  });
  return [...new Set(tops)];
}

function noExport(path: string, files: readonly ArchiveFile[]): ParleyError {
  const isText = files.length > 0 && files.every(({ name }) => name.endsWith('.txt'));
  const what = isText
    ? `${path} is an export as text, which names neither channels nor people by their ids`
    : `${path} has no users.json: it is no export of a Slack workspace`;
  return new ParleyError('nothing_to_import', `${what}.`, {
    hint: 'Export again as JSON, and name the zip as Slack made it, or the folder it was unpacked into.',
  });
}

async function workspaceOf(files: readonly ArchiveFile[], top: string): Promise<Chats> {
  const read = async <T>(name: string, schema: z.ZodType<T>): Promise<T[]> => {
    const file = files.find((each) => each.name === `${top}${name}`);
    if (file === undefined) return [];
    const values = parseJson(textOf(await file.bytes(), file.path), listSchema, file.path);
    // one odd user or channel is no reason to refuse all others
    return values.flatMap((value) => {
      const checked = schema.safeParse(value);
      return checked.success ? [checked.data] : [];
    });
  };
  // people of an organisation (Enterprise Grid) are in a separate file
  const users = [...(await read('users.json', userSchema)), ...(await read('org_users.json', userSchema))];
  const names = new Map(
    users.map((user) => [
      user.id,
      [user.profile?.display_name, user.real_name, user.profile?.real_name, user.name].find(Boolean) ??
        user.id,
    ]),
  );
  const team = maxOf(users.flatMap(({ team_id }) => team_id ?? []));
  const chats = new Map<string, HistoryChat>();
  for (const [file, { kind, open }] of Object.entries(lists))
    for (const { id, name, is_private } of await read(file, channelSchema)) {
      const chat: HistoryChat = {
        platform: 'slack',
        kind,
        chat: id,
        open: open && is_private !== true,
        space: kind === 'dm' ? undefined : team,
      };
      chats.set(id, chat);
      if (name) chats.set(name, chat);
    }
  return { team, names, chats };
}

/** The workspace itself: an export also names people of others, who are in shared channels. */
function maxOf(teams: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const team of teams) counts.set(team, (counts.get(team) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function itemOf(file: ArchiveFile, of: { top: string; workspace: Chats; reading: ImportContext }): Item {
  const { top, workspace, reading } = of;
  const [folder = '', day = ''] = file.name
    .slice(top.length)
    .replace(/\.json$/, '')
    .split('/');
  // a chat that no list names is nobody else's
  const chat = workspace.chats.get(folder) ?? { platform: 'slack', kind: 'dm', chat: folder };
  return {
    path: file.path,
    async open() {
      const bytes = await file.bytes();
      const conversation = conversationOf(chat, reading);
      // another list may say that the channel has become private, or another one
      const { audience, restricted } = conversation.where;
      return {
        contentHash: digest(`slack ${readerVersion} ${digest(bytes)} ${audience} ${restricted}`),
        read: () =>
          draftsOf(
            turnsOf(textOf(bytes, file.path), { what: file.path, day, workspace, tally: reading.tally }),
            conversation,
            reading,
          ),
      };
    },
  };
}

interface Day {
  what: string;
  day: string;
  workspace: ImportedWorkspace;
  tally: Tally;
}

function* turnsOf(content: string, { what, ...of }: Day): Generator<ImportedMessage> {
  for (const [index, value] of parseJson(content, listSchema, what).entries()) {
    const turn = slackTurn(value, { ...of, what: `${what}, message ${index + 1}` });
    if (turn !== undefined) yield turn;
  }
}
