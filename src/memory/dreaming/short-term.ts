// Which passages are short-term memory, so that a sweep may promote what they say: conversations, records and daily notes.

import { filePlatform } from '#memory/chunks/file-rows.ts';
import type { Passage } from '#memory/chunks/passages.ts';
import { notesFolder } from '#memory/files/audience-folder.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import { claimOf, type Statement, statementsOf } from '#memory/words/statements.ts';

/** `MEMORY.md` is long-term memory, documents and extra folders are what they are: none of them is promoted. */
export function isShortTerm(passage: Passage): boolean {
  if (passage.platform === filePlatform) return isNote(passage);
  return passage.source !== 'document';
}

/** Of a daily note in the audience's own folder. */
export function isNote({ platform, sessionID, audience }: Passage): boolean {
  return platform === filePlatform && sessionID.startsWith(`${folderNameOf(audience)}/${notesFolder}/`);
}

type Claimed = Statement & { claim: string };

/** What a person states in the passage; the assistant's own words are no evidence. */
export function claimsIn(passage: Pick<Passage, 'said' | 'isPiece' | 'audience'>): Claimed[] {
  return claimed(passage.audience, statementsOf(passage.said, { isCut: passage.isPiece }));
}

export function claimed(audience: string, statements: readonly Statement[]): Claimed[] {
  return statements.map((statement) => ({ ...statement, claim: claimOf(audience, statement.text) }));
}
