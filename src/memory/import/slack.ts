// The zip that a Slack workspace exports, or its folder: each day of each channel an item of its own. Not Slack's API.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import { type ArchiveFile, openArchive } from './archive.ts';
import { digest, digestOfRoom, type Item, type Reading } from './item.ts';
import { conversationOf, type HistoryChat } from './room.ts';
import { draftsOf, fitting, type Turn } from './turn.ts';

const usersSchema = z.array(
  z.object({
    id: z.string(),
    team_id: z.string().optional(),
    name: z.string().optional(),
    real_name: z.string().nullish(),
    profile: z.object({ display_name: z.string().nullish(), real_name: z.string().nullish() }).optional(),
  }),
);
const channelsSchema = z.array(
  z.object({ id: z.string(), name: z.string().optional(), is_private: z.boolean().optional() }),
);
const messageSchema = z.object({
  type: z.string().optional(),
  subtype: z.string().optional(),
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: z.string().optional(),
  user: z.string().optional(),
  username: z.string().nullish(),
  text: z.string().default(''),
  files: z.array(z.object({ name: z.string().nullish() })).nullish(),
});
const daySchema = z.array(z.unknown());

/** What people and bots said; the rest tells of joins, topics and pins. */
const said = new Set<string | undefined>([
  undefined,
  'bot_message',
  'file_share',
  'file_comment',
  'me_message',
  'thread_broadcast',
]);
/** Files at the top of an export that name its chats: which kind each of them is. */
const lists = {
  'channels.json': { kind: 'channel', open: true },
  'groups.json': { kind: 'channel', open: false },
  'mpims.json': { kind: 'group', open: false },
  'dms.json': { kind: 'dm', open: false },
} as const;

interface Workspace {
  team: string | undefined;
  names: Map<string, string>;
  /** By the name of their folder: that of the channel, or its id. */
  chats: Map<string, HistoryChat>;
}

/** The days of an export, and what lets go of it. Throws a ParleyError when it is none. */
export async function slackItems(
  path: string,
  reading: Reading,
): Promise<{ items: Item[]; close: () => void }> {
  const { files, close } = await openArchive(path, '.json', { signal: reading.request.signal });
  try {
    const top = files.filter(({ name }) => !name.includes('/'));
    if (!top.some(({ name }) => name === 'users.json'))
      throw new ParleyError(
        'nothing_to_import',
        `${path} has no users.json: it is no export of a Slack workspace.`,
        {
          cure: 'Name the zip as Slack made it, or the folder it was unpacked into.',
        },
      );
    const workspace = await workspaceOf(top);
    const items = files
      .filter(({ name }) => /^[^/]+\/\d{4}-\d\d-\d\d\.json$/.test(name))
      .map((file) => itemOf(file, { path, workspace, reading }));
    return { items, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function workspaceOf(top: readonly ArchiveFile[]): Promise<Workspace> {
  const read = async <T>(name: string, schema: z.ZodType<T[]>): Promise<T[]> => {
    const file = top.find((each) => each.name === name);
    return file === undefined ? [] : parseJson(textOf(await file.bytes()), schema, name);
  };
  const users = await read('users.json', usersSchema);
  const names = new Map(
    users.map((user) => [
      user.id,
      [user.profile?.display_name, user.real_name, user.profile?.real_name, user.name].find(Boolean) ??
        user.id,
    ]),
  );
  const team = mostOf(users.flatMap(({ team_id }) => team_id ?? []));
  const chats = new Map<string, HistoryChat>();
  for (const [file, { kind, open }] of Object.entries(lists))
    for (const { id, name, is_private } of await read(file, channelsSchema)) {
      const chat: HistoryChat = {
        platform: 'slack',
        kind,
        chat: id,
        open: open && is_private !== true,
        space: kind === 'dm' ? undefined : team,
      };
      chats.set(id, chat);
      if (name !== undefined) chats.set(name, chat);
    }
  return { team, names, chats };
}

/** The workspace itself: an export also names people of others, who are in shared channels. */
function mostOf(teams: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const team of teams) counts.set(team, (counts.get(team) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function itemOf(file: ArchiveFile, of: { path: string; workspace: Workspace; reading: Reading }): Item {
  const { path, workspace, reading } = of;
  const whole = `${path}/${file.name}`;
  const [folder = '', day = ''] = file.name.replace(/\.json$/, '').split('/');
  // a chat that no list names is nobody else's
  const chat = workspace.chats.get(folder) ?? { platform: 'slack', kind: 'dm', chat: folder };
  return {
    path: whole,
    async open() {
      const bytes = await file.bytes();
      const conversation = conversationOf(chat, reading);
      const isRestricted = chat.kind !== 'dm' && chat.open !== true;
      return {
        contentHash: isRestricted ? digestOfRoom(bytes, conversation.where.audience) : digest(bytes),
        read: () => draftsOf(turnsOf(textOf(bytes), { what: whole, day, workspace }), conversation, reading),
      };
    },
  };
}

function* turnsOf(text: string, of: { what: string; day: string; workspace: Workspace }): Generator<Turn> {
  const { what, day, workspace } = of;
  for (const [index, value] of parseJson(text, daySchema, what).entries()) {
    const message = fitting(value, messageSchema, `${what}, message ${index + 1}`);
    if (!said.has(message.subtype)) continue;
    const { user, ts, thread_ts, files } = message;
    const sent = (files ?? []).flatMap(({ name }) => name ?? []);
    yield {
      id: ts,
      session: thread_ts === undefined ? day : `thread ${thread_ts}`,
      at: Math.round(Number(ts) * 1000),
      speaker: workspace.names.get(user ?? '') ?? message.username ?? user ?? 'somebody',
      person: user === undefined ? undefined : `slack:${workspace.team ?? '-'}/${user}`,
      text: plainText(message.text, workspace.names),
      caption: sent.length === 0 ? undefined : `file ${sent.join(', ')}`,
    };
  }
}

/** Slack's own marks as people read them: `<@U1>`, `<#C1|general>`, `<https://x|label>`, `&amp;`. */
function plainText(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(
      /<@([A-Z0-9]+)(?:\|([^>]*))?>/g,
      (_, id: string, label?: string) => `@${names.get(id) ?? label ?? id}`,
    )
    .replace(/<#([A-Z0-9]+)(?:\|([^>]*))?>/g, (_, id: string, label?: string) => `#${label || id}`)
    .replace(/<!(?:subteam\^\w+\|)?([^>|]+)(?:\|[^>]*)?>/g, '@$1')
    .replace(/<([^>|]+)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<([^>\s]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
