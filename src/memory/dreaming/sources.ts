// What a candidate says now: its source is read again each time, and a candidate whose source changed or went says nothing.
import { join } from 'node:path';
import type { Passage } from '#memory/chunks/passages.ts';
import { notesFolder } from '#memory/files/audience-folder.ts';
import { findFiles } from '#memory/files/find-files.ts';
import { withBlankLines } from '#memory/files/lines.ts';
import { readTextFile, usualMaxBytes } from '#memory/files/read-text.ts';
import type { CandidateRow } from '#memory/recalls/recall-rows.ts';
import type { Store } from '#memory/store/store.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience } from '#memory/types/scope.ts';
import { statementsOf } from '#memory/words/statements.ts';
import { claimed, claimsIn, isNote, isShortTerm } from './short-term.ts';

/** A statement in its source, as it is now. */
export interface FoundStatement {
  status: 'found';
  text: string;
  /** For people: a path with its line, or who said it and when. */
  place: string;
  /** Who said it; absent for a line of a file. */
  speaker?: string;
  person: string;
  runID: string;
  sessionID: string;
  at: number;
  chunkID: string;
  sourceKey: string;
}

/** `unread`: a file that may have it cannot be read now. */
export type Reread = FoundStatement | { status: 'changed' | 'gone' | 'unread'; words: string };

export interface SourceDeps {
  store: Store;
  options: MemoryFilesOptions;
  isForgotten(folder: string, line: string): boolean;
}

/** Reads the sources of one audience; its notes are read once. */
export function createStatementSources({ store, options, isForgotten }: SourceDeps, audience: Audience) {
  let notes: Promise<Notes> | undefined;
  const inNotes = async (
    claim: string,
    first: string | undefined,
  ): Promise<Omit<FoundStatement, 'chunkID' | 'sourceKey'> | undefined> => {
    notes ??= notesOf(options, isForgotten, audience);
    const ordered = [...(await notes).texts].sort(
      (a, b) => Number(b.path === first) - Number(a.path === first),
    );
    for (const note of ordered) {
      const statement = note.statements.find((each) => each.claim === claim);
      if (statement === undefined) continue;
      const place = `${note.path}:${statement.line + 1}`;
      return {
        status: 'found',
        text: statement.text,
        place,
        person: 'file',
        runID: '',
        sessionID: note.path,
        at: note.at,
      };
    }
    return undefined;
  };
  const inPassages = (passages: readonly Passage[], claim: string): FoundStatement | undefined => {
    for (const passage of passages.filter(
      (each) => isShortTerm(each) && !isNote(each) && !isHeldBack(store, each),
    )) {
      const statement = claimsIn(passage).find((each) => each.claim === claim);
      if (statement !== undefined) return foundIn(passage, statement.text);
    }
    return undefined;
  };
  return async (candidate: Pick<CandidateRow, 'chunkID' | 'sourceKey' | 'claim'>): Promise<Reread> => {
    const { chunkID, sourceKey, claim } = candidate;
    const passage = store.passages.byID(chunkID, audience);
    const spoken = inPassages(
      [...(passage === undefined ? [] : [passage]), ...store.passages.ofSource(sourceKey, audience)],
      claim,
    );
    if (spoken !== undefined) return spoken;
    const noted = await inNotes(claim, passage?.sessionID);
    if (noted !== undefined) return { ...noted, chunkID, sourceKey };
    if (!(await notes)?.isWhole && (passage === undefined || isNote(passage)))
      return { status: 'unread', words: 'a daily note cannot be read now' };
    return passage === undefined
      ? { status: 'gone', words: 'its source was deleted, forgotten or has expired' }
      : { status: 'changed', words: 'its source says it differently now' };
  };
}

function foundIn(passage: Passage, text: string): FoundStatement {
  const day = new Date(passage.at).toISOString().slice(0, 10);
  return {
    status: 'found',
    text,
    place: `${passage.speaker}, ${day}`,
    speaker: passage.speaker,
    person: passage.person,
    runID: passage.runID,
    sessionID: passage.sessionID,
    at: passage.at,
    chunkID: passage.id,
    sourceKey: passage.sourceKey,
  };
}

/** A sensitive record is given only when it is searched for, so it gets into no prompt. */
function isHeldBack(store: Store, { sourceKey }: Passage): boolean {
  return store.records.sensitive([sourceKey]).has(sourceKey);
}

interface Notes {
  texts: NoteText[];
  /** False while a note cannot be read: what is not in `texts` may be in it. */
  isWhole: boolean;
}

interface NoteText {
  path: string;
  at: number;
  statements: ReturnType<typeof claimed>;
}

/** The notes of the audience's own folder, as they are on the disk. */
async function notesOf(
  options: MemoryFilesOptions,
  isForgotten: SourceDeps['isForgotten'],
  audience: Audience,
): Promise<Notes> {
  const folder = folderNameOf(audience);
  const { files, unknown } = await findFiles(options);
  const notes = files.filter(
    (file) =>
      file.folder === folder &&
      file.refused === undefined &&
      file.path.startsWith(`${folder}/${notesFolder}/`),
  );
  const found: NoteText[] = [];
  let isWhole = !unknown.includes(folder) && !unknown.includes('');
  if (files.some((file) => file.folder === folder && file.refused !== undefined)) isWhole = false;
  for (const file of notes) {
    const read = await readTextFile(file.absolute, {
      root: join(options.root, folder),
      maxBytes: options.maxBytes ?? usualMaxBytes,
    });
    if (read.status !== 'read') {
      isWhole = false;
      continue;
    }
    const text = withBlankLines(read.text, (line) => isForgotten(folder, line));
    found.push({ path: file.path, at: read.mtimeMs, statements: claimed(audience, statementsOf(text)) });
  }
  return { texts: found, isWhole };
}
