// One message of a Slack export, with all that was sent in it as words. Not its channel.
// Fields as in https://docs.slack.dev/reference/events/message, which an export repeats.
import { z } from 'zod';
import { truncate } from '#base/text.ts';
import type { Tally } from '#memory/import/items/tally.ts';
import { type ImportedMessage, parseValue } from '#memory/import/items/turn.ts';

const text = z.string().nullish();
const messageSchema = z.object({
  subtype: text,
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: text,
  user: text,
  username: text,
  user_profile: z.object({ display_name: text, real_name: text }).nullish(),
  text,
  files: z.array(z.object({ name: text, title: text })).nullish(),
  attachments: z
    .array(
      z.object({
        pretext: text,
        author_name: text,
        title: text,
        text,
        fallback: text,
        fields: z.array(z.object({ title: text, value: text })).nullish(),
        blocks: z.unknown().optional(),
      }),
    )
    .nullish(),
  blocks: z.unknown().optional(),
});
type Message = z.infer<typeof messageSchema>;
type Attachment = NonNullable<Message['attachments']>[number];

/** What people and bots wrote; the rest is about joins, topics and pins. */
const messageSubtypes = new Set<string | null | undefined>([
  undefined,
  null,
  'bot_message',
  'file_share',
  'file_comment',
  'me_message',
  'thread_broadcast',
  'reply_broadcast',
]);
/** Slack writes this where a message has only blocks. */
const noText = "This content can't be displayed.";
/** Characters of what hangs on a message: a preview says what a link is about, and is not the page. */
const maxAttached = 1_000;

export interface ImportedWorkspace {
  team: string | undefined;
  /** Of people, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** What was written in a message of that day; undefined, and counted, where nobody said anything in it. */
export function slackTurn(
  value: unknown,
  { what, day, workspace, tally }: { what: string; day: string; workspace: ImportedWorkspace; tally: Tally },
): ImportedMessage | undefined {
  const message = parseValue(value, messageSchema, { tally, what });
  if (message === undefined) return undefined;
  if (!messageSubtypes.has(message.subtype)) {
    tally.skip('notice');
    return undefined;
  }
  const { user, username, ts, thread_ts, user_profile: profile } = message;
  const { names, team } = workspace;
  const own = message.text === noText ? '' : (message.text ?? '');
  const known = [names.get(user ?? ''), profile?.display_name, profile?.real_name, username, user];
  return {
    id: ts,
    session: thread_ts == null ? day : `thread ${thread_ts}`,
    at: Math.round(Number(ts) * 1000),
    speaker: known.find(Boolean) ?? 'somebody',
    person: user == null ? undefined : `slack:${team ?? '-'}/${user}`,
    text: plainText(own || textIn(message.blocks), names),
    caption: captionOf(message, names),
  };
}

/** Files, and what hangs on the message: alerts, previews of links, messages that were passed on. */
function captionOf({ files, attachments }: Message, names: ImportedWorkspace['names']): string | undefined {
  const sent = (files ?? []).flatMap(({ name, title }) => name ?? title ?? []);
  const hung = (attachments ?? []).map(attachmentWords).filter((words) => words !== '');
  const parts = [
    sent.length === 0 ? '' : `file ${sent.join(', ')}`,
    ...hung.map((words) => `attached: ${truncate(plainText(words, names), maxAttached)}`),
  ];
  return parts.filter(Boolean).join('; ') || undefined;
}

function attachmentWords({
  pretext,
  author_name,
  title,
  text,
  fields,
  fallback,
  blocks,
}: Attachment): string {
  const pairs = (fields ?? []).map(({ title, value }) => [title, value].filter(Boolean).join(': '));
  const words = [pretext, author_name, title, text || textIn(blocks), ...pairs].filter(Boolean);
  return words.length === 0 ? (fallback ?? '') : words.join(' | ');
}

/** What is in blocks, in order: every `text` that is a string, however deep. */
function textIn(blocks: unknown): string {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value))
      if (key === 'text' && typeof inner === 'string') found.push(inner);
      else walk(inner);
  };
  walk(blocks);
  return found.join('\n');
}

/** Slack's own marks as people read them: `<@U1>`, `<#C1|general>`, `<https://x|label>`, `&amp;`. */
function plainText(marked: string, names: ImportedWorkspace['names']): string {
  return marked
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
