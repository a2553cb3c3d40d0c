// Forgetting in files: noted in the transaction that forgets, then done in the files, and finished by the next start after a kill.
import type { Clock } from '#base/clock.ts';
import { replaceWhole } from '#base/files/files.ts';
import type { FoundChunk } from '#memory/chunks/chunk-row.ts';
import { messageIDsOf } from '#memory/chunks/chunk-row.ts';
import type { FileRows, IndexedFile } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import { parsePassage } from '#memory/types/block.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';
import { passagesOf } from '#memory/words/markdown-passages.ts';
import { eventLinesOf } from './event-log.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { indexedWords } from './index-file.ts';
import { hasWords, lineHash, meansAll, narrowedLines, wholeFolders, withoutLines } from './lines.ts';
import { isSame, isUnchanged, readTextFile, type TextFile, usualMaxBytes } from './read-text.ts';
import { dropAbandoned, findReports, type ReportFile } from './report-files.ts';

/** What a file held when it was looked at. */
interface LookedAt {
  folder: string;
  /** As the disk had it then; undefined for a file that could not be read. */
  found: Extract<TextFile, { status: 'read' }> | undefined;
  /** Its passages, where the index knew another state of it: their numbers of lines are of that one. */
  passages: readonly HeldPassage[] | undefined;
}

interface HeldPassage {
  /** As the index has it: under its headings, and without secrets. */
  content: string;
  headings: string;
  lines: readonly { line: string; indexed: string }[];
}

/** What files held when they were looked at, for the lines of a passage. */
interface FileTexts {
  /** By the key of the file. */
  texts: ReadonlyMap<string, LookedAt>;
}

/** Forgets, in the caller's transaction, what was made of texts of an audience, and for runs, sessions and people; what goes with it: lines, and ids of the journal of events. */
export type ForgetDerived = (of: {
  texts: readonly { audience: string; text: string }[];
  /** Lines that are forgotten, which may be made of a statement and say more than it. */
  hashes: readonly string[];
  /** Of what is no longer there as a text. */
  claims: readonly string[];
  runIDs: readonly string[];
  sessionIDs: readonly string[];
  persons: readonly string[];
}) => { lines: { folder: string; hash: string }[]; ids: string[] };

export interface LineForgetting {
  isForgotten(folder: string, line: string): boolean;
  /** Whether lines are forgotten that may still be in a file. */
  isPending(): boolean;
  /** Reads the files that rows of the selection may mean, before the transaction. */
  prepare(): Promise<FileTexts>;
  /** Notes, in the caller's transaction, which lines are forgotten with these rows. */
  note(
    files: FileTexts,
    chunks: readonly FoundChunk[],
    request: { selection: Selection; scope: Scope; claims: readonly string[] },
  ): void;
  /** Takes every noted line out of the files, and the index follows them; what stays, as text. */
  finish(): Promise<string[]>;
}

/** Over one open store. */
export function createLineForgetting(deps: {
  options: MemoryFilesOptions;
  rows: FileRows;
  atOnce<T>(work: () => T): Promise<T>;
  forgetDerived: ForgetDerived;
  redact: Redact;
  /** Indexes the files as they are now. */
  reindex(): Promise<void>;
  clock: Clock;
}): LineForgetting {
  const { options, rows, atOnce, clock, forgetDerived, redact, reindex } = deps;
  let pending = setOf(rows);
  const maxBytes = options.maxBytes ?? usualMaxBytes;

  const readText = async (file: AnyFile): Promise<TextFile> => {
    for (let attempt = 1; ; attempt += 1) {
      const read = await readTextFile(file.absolute, { root: file.root, maxBytes });
      if (read.status !== 'changing' || attempt === maxAttempts) return read;
      await clock.sleep(retryMs * attempt);
    }
  };

  const clean = async (file: AnyFile, hashes: ReadonlySet<string>): Promise<string | undefined> => {
    if ('refused' in file && file.refused !== undefined) return undefined;
    for (let attempt = 1; ; attempt += 1) {
      const read = await readTextFile(file.absolute, { root: file.root, maxBytes });
      if (read.status === 'missing') return undefined;
      if (read.status === 'refused') return `${file.path} ${read.words}: a forgotten line may still be in it`;
      if (read.status === 'read') {
        const { text, gone } = withoutLines(read.text, (line) => hashes.has(lineHash(file.folder, line)));
        if (gone === 0) return undefined;
        if ('readOnly' in file && file.readOnly)
          return `${gone} forgotten lines are still in ${file.path}, which Parley never writes: delete them there`;
        try {
          const isStill = (): boolean => isUnchanged(file.absolute, read);
          if (await replaceWhole(file.absolute, { content: text, isStill })) return undefined;
        } catch (error) {
          return `${file.path} could not be written (${error instanceof Error ? error.message : String(error)}): a forgotten line is still in it, and is taken out at the next start`;
        }
      }
      if (attempt === maxAttempts)
        return `${file.path} is being written: a forgotten line may still be in it`;
      await clock.sleep(retryMs * attempt);
    }
  };

  return {
    isPending: () => pending.size > 0,
    isForgotten: (folder, line) => pending.has(lineHash(folder, line)),
    async prepare() {
      const texts = new Map<string, LookedAt>();
      const { files, folders } = await findFiles(options);
      const reports = await findReports(
        options.root,
        folders.map(({ name }) => name),
      );
      for (const file of [...files.filter(({ refused }) => refused === undefined), ...reports]) {
        const read = await readText(file);
        const found = read.status === 'read' ? read : undefined;
        const row = rows.indexed(file.key);
        const isOther = found !== undefined && row !== undefined && !isSame(found, row);
        const passages = isOther ? await heldPassages(found.text, redact) : undefined;
        texts.set(file.key, { folder: file.folder, found, passages });
      }
      return { texts };
    },
    note({ texts }, chunks, { selection, scope, claims }) {
      // what a person wrote somewhere else belongs to another request
      const own = new Set(scope.audiences.map(folderNameOf));
      const lines: { folder: string; hash: string }[] = [];
      const gone: { audience: string; text: string }[] = [];
      for (const chunk of chunks) {
        const file = texts.get(chunk.sourceKey);
        const { audience } = chunk;
        if (file === undefined) gone.push({ audience, text: parsePassage(chunk.content).userText });
        else {
          const { folder } = file;
          const meant = meantLines(linesOf(file, chunk, rows.indexed(chunk.sourceKey)), selection);
          lines.push(...meant.map((line) => ({ folder, hash: lineHash(folder, line) })));
          gone.push({ audience, text: meant.join('\n') });
        }
      }
      const all = meansAll(selection) ? selection : {};
      const runs = new Set<string>([...chunks.map(({ runID }) => runID), all.run ?? '']);
      const whose = {
        runIDs: [...runs].filter((id) => id !== ''),
        sessionIDs: [all.session ?? []].flat(),
        persons: [all.person ?? []].flat(),
      };
      const held = texts.values();
      lines.push(...(meansAll(selection) ? wholeFolders(held, all) : narrowedLines(held, selection, rows)));
      lines.push(...rows.linesOf(whose));
      const found = new Set(chunks.flatMap(({ sourceKey }) => texts.get(sourceKey)?.folder ?? []));
      const isMeant = ({ folder }: { folder: string }): boolean => own.has(folder) || found.has(folder);
      const hashes = lines.filter(isMeant).map(({ hash }) => hash);
      const { lines: derived, ids } = forgetDerived({ ...whose, texts: gone, hashes, claims });
      const made = new Set(derived.map(({ folder }) => folder));
      const inScope = [...lines, ...derived].filter((line) => isMeant(line) || made.has(line.folder));
      // an event is forgotten for what it names, in whichever folder it is
      const events = eventsOf(texts, [...ids, ...whose.runIDs]);
      rows.forgetLines([...inScope, ...events], clock.now());
      pending = setOf(rows);
    },
    async finish() {
      const wanted = rows.forgetting();
      if (wanted.length === 0) return [];
      const byFolder = Map.groupBy(wanted, ({ folder }) => folder);
      const { files } = await findFiles(options);
      const reports = await findReports(options.root, [...byFolder.keys()]);
      await dropAbandoned(options.root, [...byFolder.keys()], clock);
      const left: string[] = [];
      for (const [folder, lines] of byFolder) {
        const hashes = new Set(lines.map(({ hash }) => hash));
        const words: string[] = [];
        for (const file of [...files, ...reports].filter((each) => each.folder === folder)) {
          const remains = await clean(file, hashes);
          if (remains !== undefined) words.push(remains);
        }
        if (words.length === 0) await atOnce(() => rows.forgot(folder, [...hashes], clock.now()));
        left.push(...words);
      }
      await reindex();
      pending = setOf(rows);
      return left;
    },
  };
}

const maxAttempts = 5;
const retryMs = 50;

type AnyFile = FoundFile | ReportFile;

function setOf(rows: FileRows): ReadonlySet<string> {
  return new Set(rows.forgetting().map(({ hash }) => hash));
}

/** The lines of a passage: by number only while the index and the text are of one state of the file, else by what they hold. */
function linesOf(file: LookedAt, chunk: FoundChunk, row: IndexedFile | undefined): string[] {
  const { found, passages } = file;
  if (found !== undefined && row !== undefined && isSame(found, row)) {
    const [from = 1, until = 0] = messageIDsOf(chunk).map(Number);
    return found.text.split('\n').slice(from - 1, until);
  }
  const held = chunk.content.split('\n');
  // of a file that cannot be read now, or was indexed since, as the index knows it
  if (passages === undefined) return held;
  const whole = passages.filter(({ content }) => content === chunk.content);
  if (whole.length > 0) return whole.flatMap(({ lines }) => lines.map(({ line }) => line));
  const isHeading = held.length > 1 && passages.some(({ headings }) => headings === held[0]);
  const words = new Set(isHeading ? held.slice(1) : held);
  return passages.flatMap(({ lines }) =>
    lines.flatMap(({ line, indexed }) => (words.has(indexed) ? [line] : [])),
  );
}

/** The passages of a text as the index would have them, each with its lines. */
async function heldPassages(text: string, redact: Redact): Promise<HeldPassage[]> {
  const all = text.split('\n');
  const held: HeldPassage[] = [];
  for (const passage of passagesOf(text)) {
    const { words, headings, content } = await indexedWords(passage, redact);
    const own = all.slice(passage.from - 1, passage.until);
    const lines: { line: string; indexed: string }[] = [];
    // one line may be cut into several passages
    if (own.length === 1) lines.push({ line: own[0] ?? '', indexed: words });
    else for (const line of own) lines.push({ line, indexed: (await redact(line.trimEnd())).text });
    held.push({ content, headings, lines });
  }
  return held;
}

/** All lines of the passage; of words, the lines that hold all of them, where some do. */
function meantLines(passage: readonly string[], { words }: Selection): string[] {
  const lines = passage.filter((line) => line.trim() !== '');
  const narrow = words === undefined ? [] : lines.filter((line) => hasWords(line, words));
  return narrow.length > 0 ? narrow : lines;
}

/** Lines of the journals of events that name what is forgotten. */
function eventsOf(texts: FileTexts['texts'], ids: readonly string[]): { folder: string; hash: string }[] {
  const named = new Set(ids);
  return [...texts]
    .filter(([key]) => key.endsWith('.jsonl'))
    .flatMap(([, { folder, found }]) =>
      eventLinesOf(found?.text ?? '', named).map((line) => ({ folder, hash: lineHash(folder, line) })),
    );
}
