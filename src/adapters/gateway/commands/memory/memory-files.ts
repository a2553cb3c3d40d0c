// `/memory file` and `/memory note`: the memory files of this chat's own audience, read and noted in.

import type { CommandCall } from '#adapters/gateway/commands/command-context.ts';
import { aside, refusal } from '#adapters/gateway/terms/command-reply.ts';
import { codeOf } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { MemoryFileList } from '#engine/wire/memory/memory-files.ts';

type Audience = `person:${string}` | `room:${string}`;
type File = MemoryFileList['files'][number];

/** Characters of a file that a chat is shown at once. */
const shownChars = 3_000;
/** Files that are shown when none is named: what lasts, and the newest note. */
const shownFiles = 2;

/** `/memory file [NAME [LINE]]`: shows a memory file from that line; without a name `MEMORY.md` and the newest note. */
export async function showFile(
  call: CommandCall,
  audiences: readonly Audience[],
  asked: string,
): Promise<string> {
  const [, name = '', line] = /^(.*?)(?:\s+(\d{1,7}))?$/s.exec(asked.trim()) ?? [];
  const lists = await Promise.all(
    audiences.map(async (audience) => {
      const { files } = await call.engine.listMemoryFiles({ audience });
      return files.map((file) => ({ file, audience }));
    }),
  );
  const all = lists.flat();
  const { phrases, command } = call;
  if (all.length === 0) return phrases.memory.noFiles({ command });
  const wanted =
    name === ''
      ? [...all].sort((a, b) => orderOf(b.file) - orderOf(a.file) || (a.file.path < b.file.path ? 1 : -1))
      : all.filter(({ file }) => file.path === name || file.path.endsWith(`/${name}`));
  if (wanted.length === 0)
    throw refusal(({ memory }) => memory.noSuchFile({ names: all.map(({ file }) => shortName(file)) }));
  const from = line === undefined ? 1 : Number(line);
  const shown = await Promise.all(
    wanted.slice(0, shownFiles).map(({ file, audience }) => textOf(call, { file, audience, from })),
  );
  const others = all.length - Math.min(wanted.length, shownFiles);
  const more = name === '' && others > 0 ? [phrases.memory.moreFiles({ n: others, command })] : [];
  return [...shown, ...more].join('\n\n');
}

/** Appends a line to today's note of this audience. */
export async function noteFile(call: CommandCall, audience: Audience, text: string): Promise<string> {
  if (text === '') throw refusal(({ memory }, command) => memory.noteHow({ command }));
  const note = { audience, text: truncate(text, 8_000), person: call.row.person };
  const noted = await call.engine.noteMemoryFile(note).catch((error: unknown) => {
    if (codeOf(error) === 'file_refused') throw refusal(({ memory }) => memory.notNoted);
    throw error;
  });
  const { memory } = call.phrases;
  const place = { line: noted.line, file: noted.path.split('/').slice(1).join('/') };
  if (noted.status === 'duplicate') return memory.notedBefore(place);
  return noted.redacted.length === 0 ? memory.noted(place) : memory.notedMasked(place);
}

async function textOf(
  call: CommandCall,
  { file, audience, from }: { file: File; audience: Audience; from: number },
): Promise<string> {
  const name = shortName(file);
  if (file.problem !== undefined) return `**${name}** ${file.problem}.`;
  const { text, until, total } = await call.engine.readMemoryFile({ audience, path: file.path, from });
  const shown = truncate(text, shownChars, '\n[…]');
  const rest = until < total ? `\n${aside(call.phrases.memory.lines({ from, until, total }))}` : '';
  return `**${name}**\n\n${shown}${rest}`;
}

const orderOf = ({ path }: File): number => (path.endsWith('/MEMORY.md') ? 1 : 0);

/** Without the folder of the audience, which the chat knows. */
const shortName = ({ path }: File): string => path.split('/').slice(1).join('/');
