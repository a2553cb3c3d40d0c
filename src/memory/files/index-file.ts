// One file as the rows of its passages: read, checked, without secrets and without what is forgotten. Does not write them.
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FileChunk, type FileWrite, filePlatform } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { passagesOf } from '#memory/words/markdown-passages.ts';
import { whereOf } from './audience-folder.ts';
import type { FoundFile } from './find-files.ts';
import { withoutForgotten } from './lines.ts';
import { isSame, readTextFile } from './read-text.ts';

type ReadFile =
  | { status: 'ready'; write: FileWrite }
  /** It changed since it was found. */
  | { status: 'changing' }
  | { status: 'missing' }
  | { status: 'refused'; words: string; write: FileWrite };

/** So many passages are looked through in one turn of the event loop. */
const passagesATurn = 16;

/** Reads the file as it was found; one that changed since is for later. */
export async function readForIndex(
  found: FoundFile,
  parts: { redact: Redact; maxBytes: number; isForgotten: (folder: string, line: string) => boolean },
): Promise<ReadFile> {
  const { key, path, folder, size, mtimeMs, ctimeMs } = found;
  const row = { key, path, folder, size, mtimeMs, ctimeMs };
  const refuse = (words: string): ReadFile => ({
    status: 'refused',
    words,
    write: { file: { ...row, characters: 0, problem: words }, chunks: [] },
  });
  if (found.refused !== undefined) return refuse(found.refused);
  const read = await readTextFile(found.absolute, { root: found.root, maxBytes: parts.maxBytes });
  if (read.status === 'refused') return refuse(read.words);
  if (read.status !== 'read') return read;
  if (!isSame(read, found)) return { status: 'changing' };
  const isGone = (line: string): boolean => parts.isForgotten(folder, line);
  const text = await withoutForgotten(read.text, { isGone, redact: parts.redact });
  const chunks: FileChunk[] = [];
  const seen = new Map<string, number>();
  for (const passage of passagesOf(text)) {
    const { words, headings, content } = await indexedWords(passage, parts.redact);
    const times = (seen.get(content) ?? 0) + 1;
    seen.set(content, times);
    chunks.push(chunkOf(found, { content, words, headings, times, ordinal: chunks.length, passage }));
    // a long file is read in turns, so that others are answered in between
    if (chunks.length % passagesATurn === 0) await nextTurn();
  }
  return { status: 'ready', write: { file: { ...row, characters: text.length, problem: null }, chunks } };
}

/** What the index has of a passage: its words and headings without secrets, and both as one text. */
export async function indexedWords(
  passage: { text: string; headings: readonly string[] },
  redact: Redact,
): Promise<{ words: string; headings: string; content: string }> {
  const { text: words } = await redact(passage.text);
  const headings = passage.headings.length === 0 ? '' : (await redact(passage.headings.join(' > '))).text;
  return { words, headings, content: headings === '' ? words : `${headings}\n${words}` };
}

function chunkOf(
  found: FoundFile,
  of: {
    content: string;
    words: string;
    headings: string;
    /** How often the file had the same passage so far. */
    times: number;
    ordinal: number;
    passage: { from: number; until: number };
  },
): FileChunk {
  const { key, path, audience } = found;
  const name = basename(path).replace(/\.[^.]+$/, '');
  const contentHash = digestOf(key, String(of.times), of.content);
  return {
    ...whereOf(audience),
    space: whereOf(audience).space,
    corpus: found.corpus,
    source: 'document',
    sourceKey: key,
    ordinal: of.ordinal,
    sourceHash: `${key}/${contentHash}`,
    contentHash,
    at: Math.min(found.created, Math.round(found.mtimeMs)),
    lastWrittenAt: Math.round(found.mtimeMs),
    speaker: name,
    // the same words in two files are one memory in two places
    person: 'file',
    platform: filePlatform,
    chat: `${filePlatform}:${path}`,
    sessionID: path,
    projectID: undefined,
    workspaceRoot: undefined,
    runID: '',
    messageIDs: [String(of.passage.from), String(of.passage.until)],
    tokenCount: Math.ceil(of.words.length / 4),
    content: of.content,
    userText: of.words,
    assistantText: '',
    about: `${name}\n${of.headings}`,
    metadata: { pieces: 1 },
  };
}
