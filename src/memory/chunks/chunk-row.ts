// A chunk as the program holds it and as its row holds it.
import { z } from 'zod';
import { memoize } from '#base/caches/memoize.ts';
import { parseJson } from '#base/json.ts';
import { scopeTerms, scopeTermsIn } from '#memory/tables/audience.ts';
import type { NoteKind } from '#memory/types/note.ts';
import type { Audience, Tier } from '#memory/types/scope.ts';
import { dateWords } from '#memory/words/date-words.ts';
import { heldText } from '#memory/words/embedded-text.ts';
import { type StemmedLanguage, textLanguage } from '#memory/words/languages.ts';
import { isNonAnswer, isQuestion } from '#memory/words/sentences.ts';
import { analyzerVersion, compoundParts, indexText } from '#memory/words/tokens.ts';

/** What a chunk is a piece of: an exchange with the assistant, one turn of a human conversation, a document, or a note. */
export type Source = 'exchange' | 'turn' | 'document' | NoteKind;

/** A stored piece of an exchange, of a conversation, of a document or of a note. */
export interface Chunk {
  id: string;
  source: Source;
  audience: Audience;
  space: string | undefined;
  restricted: boolean;
  partition?: string | undefined;
  /** `global` when absent. */
  tier?: Tier | undefined;
  /** After that nobody is shown it; for ever when absent. */
  expiresAt?: number | undefined;
  /** The key of the exchange, file or note it is a piece of, and its place in it. */
  sourceKey: string;
  ordinal: number;
  sourceHash: string;
  contentHash: string;
  at: number;
  /** Later than `at` when the same was written again. */
  lastWrittenAt: number;
  createdAt: number;
  speaker: string;
  person: string;
  platform: string;
  chat: string;
  sessionID: string;
  projectID: string | undefined;
  workspaceRoot: string | undefined;
  runID: string;
  messageIDs: readonly string[];
  tokenCount: number;
  /** What a reader is shown. */
  content: string;
  userText: string;
  assistantText: string;
  /** Words to find it by that are not in its text, such as the headings above it. */
  about: string;
  metadata: { pieces: number };
}

/** What a search needs of a chunk, with its place in the indexes and the words it is indexed under. */
export interface FoundChunk
  extends Pick<
    Chunk,
    | 'id'
    | 'source'
    | 'audience'
    | 'sourceKey'
    | 'ordinal'
    | 'at'
    | 'lastWrittenAt'
    | 'speaker'
    | 'person'
    | 'platform'
    | 'chat'
    | 'sessionID'
    | 'runID'
    | 'content'
  > {
  row: number;
  tier: Tier;
  /** Null when it is there for ever. */
  expiresAt: number | null;
  /** As the table holds them: few of the chunks that are looked at are shown. See `messageIDsOf`. */
  messageIDList: string;
  language: StemmedLanguage;
  saidTerms: string;
  answeredTerms: string;
  aboutTerms: string;
}

/** SQL: the columns that make a `FoundChunk`. Before a language was written all was stemmed as English. */
export const foundColumns = `row, id, source, audience, tier, expires_at_ms AS expiresAt, source_key AS sourceKey, ordinal, at_ms AS at,
  last_said_at_ms AS lastWrittenAt, speaker, person, platform, chat, session_id AS sessionID, run_id AS runID,
  message_ids AS messageIDList, coalesce(language, 'en') AS language, content, said_terms AS saidTerms,
  answered_terms AS answeredTerms, about_terms AS aboutTerms`;

/** The columns of `global_memory_chunks` that are written, by name. */
export type ChunkRow = ReturnType<typeof chunkToRow>;

/** The row of a chunk, with the words it is found by; always with the columns in this order. */
export function chunkToRow(chunk: Chunk) {
  const { language, said, answered, parts } = indexedTexts(chunk);
  const about =
    chunk.source === 'document'
      ? indexText(aboutText(chunk), isQuestion, language)
      : aboutTerms(aboutText(chunk));
  return {
    id: chunk.id,
    audience: chunk.audience,
    space: chunk.space ?? null,
    restricted: chunk.restricted ? 1 : 0,
    partition: chunk.partition ?? null,
    tier: chunk.tier ?? 'global',
    expires_at_ms: chunk.expiresAt ?? null,
    source: chunk.source,
    source_key: chunk.sourceKey,
    source_hash: chunk.sourceHash,
    content_hash: chunk.contentHash,
    ordinal: chunk.ordinal,
    at_ms: chunk.at,
    last_said_at_ms: chunk.lastWrittenAt,
    created_at_ms: chunk.createdAt,
    speaker: chunk.speaker,
    person: chunk.person,
    platform: chunk.platform,
    chat: chunk.chat,
    session_id: chunk.sessionID,
    project_id: chunk.projectID ?? null,
    workspace_root: chunk.workspaceRoot ?? null,
    run_id: chunk.runID,
    message_ids: JSON.stringify(chunk.messageIDs),
    token_count: chunk.tokenCount,
    analyzer: analyzerVersion,
    language,
    content: chunk.content,
    user_text: heldText(chunk),
    assistant_text: chunk.assistantText,
    said_terms: said,
    answered_terms: answered,
    about_terms: parts === '' ? about : `${about}\n${parts}`,
    scope_terms: scopeTermsIn(language, scopeTerms(chunk)),
    metadata: JSON.stringify(chunk.metadata),
  };
}

/** The words by which texts are found, in their language (what a person says in German stays German when the answer is English), and the parts of their compounds. */
export function indexedTexts({ userText, assistantText }: Pick<Chunk, 'userText' | 'assistantText'>) {
  const both = `${userText}\n${assistantText}`;
  const own = textLanguage(userText);
  const language = own === 'en' && assistantText !== '' ? textLanguage(both) : own;
  return {
    language,
    said: indexText(userText, isQuestion, language),
    answered: indexText(assistantText, (sentence) => isQuestion(sentence) || isNonAnswer(sentence), language),
    parts: compoundParts(both, language).join(' '),
  };
}

const messageIDs = z.array(z.string());

/** The platform's ids of the messages that the chunk was made of. */
export function messageIDsOf({ messageIDList }: Pick<FoundChunk, 'messageIDList'>): string[] {
  return parseJson(messageIDList, messageIDs, 'message_ids');
}

/** Chunks of one speaker and day share theirs. */
const aboutTerms = memoize(500, (text) => indexText(text));

/** A document is not about the day its file was written. */
function aboutText({ source, speaker, platform, at, about }: Chunk): string {
  return source === 'document' ? about : `${speaker}\n${platform} ${dateWords(at)}\n${about}`;
}
