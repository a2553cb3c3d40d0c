// `/export`: this conversation as a Markdown file in the chat. The file is made for this one message, and gone after it.
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filePart } from '#adapters/gateway/file-part.ts';
import { codeOf } from '#base/errors.ts';
import { ensureFolder } from '#base/files.ts';
import type { WirePart, WireSessionMessage } from '#engine/wire/message.ts';
import type { Handler } from './call.ts';
import { refusal } from './reply.ts';

export const exportSession: Handler = async ({ engine, ledger, row, channel, exportsFolder }) => {
  const sessionID = ledger.bindings.sessionOf(row.lane);
  if (sessionID === undefined) throw refusal('There is no conversation here yet: say something.');
  const limit = channel.caps.files?.limitBytes;
  if (limit === undefined)
    throw refusal(
      `I cannot send files here; on the command line there is \`parley sessions export ${sessionID}\`.`,
    );
  const { sessions } = await engine.findSessions({ ids: [sessionID] }, { limit: 1, offset: 0 });
  const title = sessions[0]?.title ?? 'Conversation';
  const text = asMarkdown(title, await engine.messages(sessionID));
  const bytes = Buffer.byteLength(text);
  if (bytes > limit)
    throw refusal(
      `It is too long to be sent here; on the command line there is \`parley sessions export ${sessionID}\`.`,
    );
  ensureFolder(exportsFolder);
  const path = join(exportsFolder, `${row.id}.md`);
  await writeFile(path, text, { mode: 0o600 });
  const name = `${
    title
      .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 60) || 'conversation'
  }.md`;
  return { words: 'Here it is.', files: [filePart({ path, name, mime: 'text/markdown', bytes })] };
};

/** Deletes the files of exports but those that are still to be sent. */
export async function sweepExports(folder: string, keep: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const gone = names.map((name) => join(folder, name)).filter((path) => !keep.includes(path));
  await Promise.all(gone.map((path) => rm(path, { force: true })));
}

function asMarkdown(title: string, messages: readonly WireSessionMessage[]): string {
  const parts = messages.map(({ info, parts: said }) => {
    const who = info.role === 'assistant' ? 'Assistant' : (info.speaker?.name ?? 'Person');
    const at = new Date(info.time.created * 1000).toISOString().slice(0, 16).replace('T', ' ');
    const words = said.flatMap((part) => wordsOf(part) ?? []);
    return `## ${who}, ${at} UTC\n\n${words.join('\n\n')}\n`;
  });
  return [`# ${title}\n`, ...parts].join('\n');
}

/** Thinking is not for the record. */
function wordsOf(part: WirePart): string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return `[file: ${part.filename ?? part.mime}]`;
    case 'tool':
      return `[used ${part.tool}]`;
    case 'reasoning':
      return undefined;
  }
}
