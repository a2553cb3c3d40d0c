// `/export`: this conversation as a Markdown file in the chat, or all that is stored about a person as JSON. The file is made for this one message, and is gone after it.
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type {
  CommandCall,
  CommandHandler,
  CommandReply,
} from '#adapters/gateway/commands/command-context.ts';
import { isAboutOneself } from '#adapters/gateway/commands/enabled-commands.ts';
import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { refusal } from '#adapters/gateway/terms/command-reply.ts';
import { filePart } from '#adapters/gateway/terms/file-part.ts';
import { ensureFolder } from '#base/files/files.ts';
import type { WirePart, WireSessionMessage } from '#engine/wire/sessions/message.ts';

/** More rooms than these, those that were seen last, are not listed. */
const maxRooms = 10_000;

/** `/export [me]`: sends this conversation as Markdown, or everything that is stored about the person as JSON. */
export const exportCommand: CommandHandler = (call) =>
  isAboutOneself({ name: 'export', args: call.args }) ? exportPerson(call) : exportSession(call);

async function exportSession(call: CommandCall): Promise<CommandReply> {
  const { engine, ledger, row } = call;
  const words = call.phrases.memory;
  const sessionID = ledger.bindings.sessionOf(row.lane);
  if (sessionID === undefined) throw refusal(({ sessions }) => sessions.none);
  const otherwise = ({ memory }: Phrases): string => memory.exportByOperator({ sessionID });
  const { sessions } = await engine.findSessions({ ids: [sessionID], limit: 1, offset: 0 });
  const title = sessions[0]?.title ?? words.exportUntitled;
  const text = asMarkdown(title, await engine.messages(sessionID), call.phrases);
  const name = `${
    title
      .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 60) || words.exportUntitled
  }.md`;
  return fileReply(call, { text, name, mime: 'text/markdown', otherwise });
}

/** All that is stored about a person on all of their accounts, as JSON. */
async function exportPerson(call: CommandCall): Promise<CommandReply> {
  const { engine, ledger, row } = call;
  if (row.address.kind !== 'dm')
    throw refusal(({ commands }, command) => commands.inPrivate({ words: 'export me', command }));
  const { accounts, persons, keys } = selfOf(call);
  const of = { persons, chats: [] };
  const { memories, messages, spawn_approvals, ...rest } = await engine.exportContent({ persons: keys });
  const inbox = ledger.content.messages(of).map(({ at, ...message }) => ({ at: isoOf(at), ...message }));
  const contents = {
    accounts,
    rooms_seen: ledger.identities.sightings(persons, maxRooms).map(({ audience }) => audience),
    memories: memories.map(({ at_ms, ...each }) => ({ at: isoOf(at_ms), ...each })),
    conversations: messages.map(({ at_ms, ...each }) => ({ at: isoOf(at_ms), ...each })),
    ...rest,
    agents_to_approve: spawn_approvals.map(({ requestedAtMs, ...each }) => ({
      at: isoOf(requestedAtMs),
      ...each,
    })),
    messages: inbox,
    files: ledger.content.files(of),
  };
  const text = JSON.stringify(contents, null, 2);
  const otherwise = ({ memory }: Phrases): string => memory.exportMeByOperator;
  const name = call.phrases.memory.exportName;
  return fileReply(call, { text, name, mime: 'application/json', otherwise });
}

const isoOf = (at: number): string => new Date(at).toISOString();

async function fileReply(
  { row, channel, exportsFolder, phrases }: CommandCall,
  {
    text,
    name,
    mime,
    otherwise,
  }: { text: string; name: string; mime: string; otherwise: (phrases: Phrases) => string },
): Promise<CommandReply> {
  const limit = channel.caps.files?.limitBytes;
  if (limit === undefined) throw refusal((texts) => `${texts.memory.exportNoFiles} ${otherwise(texts)}`);
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw refusal((texts) => `${texts.memory.exportTooLong} ${otherwise(texts)}`);
  ensureFolder(exportsFolder);
  const path = join(exportsFolder, `${row.id}${extname(name)}`);
  await writeFile(path, text, { mode: 0o600 });
  return { words: phrases.memory.exported, files: [filePart({ path, name, mime, bytes })] };
}

function asMarkdown(title: string, messages: readonly WireSessionMessage[], { memory }: Phrases): string {
  const parts = messages.map(({ info, parts: content }) => {
    const who =
      info.role === 'assistant' ? memory.exportAssistant : (info.speaker?.name ?? memory.exportPerson);
    const at = new Date(info.time.created * 1000).toISOString().slice(0, 16).replace('T', ' ');
    const words = content.flatMap((part) => wordsOf(part, memory) ?? []);
    return `## ${who}, ${at} UTC\n\n${words.join('\n\n')}\n`;
  });
  return [`# ${title}\n`, ...parts].join('\n');
}

/** Thinking is not for the record. */
function wordsOf(part: WirePart, memory: Phrases['memory']): string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return memory.exportFile({ name: part.filename ?? part.mime });
    case 'tool':
      return memory.exportTool({ name: part.tool });
    case 'reasoning':
      return undefined;
  }
}
