// Who may read a chunk: the one predicate that every read path uses, and the check that a scope was given.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { memoize } from '#base/caches/memoize.ts';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { type SqlDialect, sqliteDialect } from '#base/sql/sql.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { addProjectForm, projectForm } from '#memory/types/project-form.ts';
import { type Provenance, type Scope, tiers } from '#memory/types/scope.ts';
import { type StemmedLanguage, stemmedLanguages } from '#memory/words/languages.ts';
import { allOf, anyOf, matchOf, scopeWord, type WordQuery } from './word-query.ts';

const scopeSchema = z.object({
  audiences: z.array(z.string().regex(/^(person|room):[\s\S]+$/)),
  since: z.record(z.string(), z.number()).optional(),
  spaces: z.array(z.string().min(1)),
  everyone: z.boolean(),
  sessionID: z.string().optional(),
  projectID: z.string().optional(),
  partition: z.string().min(1).optional(),
  everyPartition: z.boolean().optional(),
  tiers: z.array(z.enum(tiers)).optional(),
});

/** A checked scope as SQL and as a full-text filter; both say the same, and the SQL has the last word. */
export interface ScopeFilter {
  /** What the conditions of `readingIn` take. */
  parameters: {
    audiences: string;
    since: string;
    spaces: string;
    everyone: 0 | 1;
    /** The agent whose own memory is read; null: what is shared between agents. */
    partition: string | null;
    /** 1: the memory of every agent. */
    everyPartition: 0 | 1;
    project: string | null;
    /** 1: what is for every project, and what is for the asking session, is read next to the project's own. */
    besideProject: 0 | 1;
    ownSession: string | null;
    ownProject: string | null;
    /** JSON, or null for every tier. */
    tiers: string | null;
    expired: 0 | 1;
  };
  /** The same as a condition on the scope words, or undefined when the scope reads nothing; and as an FTS5 expression. */
  query: WordQuery | undefined;
  match: string | undefined;
  /** The scope words of which a chunk needs one, and the word of the project that it needs too, if any. */
  words: readonly string[];
  project: string | undefined;
}

/** Gives a connection the functions that the conditions of this file call; `now` is in milliseconds since the epoch. */
export function addReadingFunctions(database: Pick<Sqlite, 'function'>, now: () => number): void {
  database.function('now_ms', () => Math.round(now()));
  addProjectForm(database);
}

type WrittenAt = 'at_ms' | 'created_at_ms' | 'kept_at_ms';

/** The conditions of a scope in the words of one engine; their parameters are those of `readableBy`. */
export interface ReadingConditions {
  /** Whether a row belongs to the agent that reads: its own memory, or what is shared. */
  inPartition: string;
  /** Whether a row is of the project that a parameter names, in any case; false where either has none. */
  ofProject(parameter: `@${string}`, column?: string): string;
  /** The same, and true where both have none. */
  sameProject(parameter: `@${string}`): string;
  /** Whether a row of one of the scope's own audiences was written late enough for the scope. */
  writtenSince(column: WrittenAt): string;
  /** A scope's own audiences. */
  ownAudience: string;
  /** The condition over `global_memory_chunks`. */
  audience: string;
  /** The condition over `memory_records`, whose `created_at_ms` is the time at which a record was noted. */
  record: string;
}

/**
 * The condition under which a row of a table with these columns may be read; SQLite's functions come from `addReadingFunctions`. A row is
 * read as one of its audience, or as one of its space when it was written in an open room that is still open. Its tier and its expiry can
 * still forbid it.
 */
export function readingIn(dialect: SqlDialect): ReadingConditions {
  const inPartition = '(@everyPartition = 1 OR partition IS NOT DISTINCT FROM @partition)';
  const ofProject: ReadingConditions['ofProject'] = (parameter, column = 'project_id') =>
    `${dialect.projectForm(column)} = ${dialect.projectForm(parameter)}`;
  const sameProject: ReadingConditions['sameProject'] = (parameter) =>
    `${dialect.projectForm('project_id')} IS NOT DISTINCT FROM ${dialect.projectForm(parameter)}`;
  const writtenSince = (column: WrittenAt): string =>
    `NOT EXISTS (SELECT 1 FROM ${dialect.eachNumber('@since', 'bound')} WHERE bound.key = audience AND bound.value >= ${column})`;
  const ownAudience = `audience IN ${dialect.texts('@audiences')}`;
  const over = (column: WrittenAt): string => `((${ownAudience} AND ${writtenSince(column)})
  OR (restricted = 0 AND (@everyone = 1 OR space IN ${dialect.texts('@spaces')})
    AND NOT EXISTS (SELECT 1 FROM memory_closed_rooms WHERE room = audience)))
  AND ${inPartition}
  AND (@project IS NULL OR ${ofProject('@project')}
    OR (@besideProject = 1 AND (tier = 'global' OR (tier = 'session' AND session_id = @ownSession))))
  AND (@tiers IS NULL OR tier IN ${dialect.texts('@tiers')})
  AND (tier = 'global' OR @ownSession IS NULL OR (tier = 'session' AND session_id = @ownSession)
    OR (tier = 'project' AND ${ofProject('@ownProject')}))
  AND (expires_at_ms IS NULL OR @expired = 1 OR expires_at_ms > ${dialect.now})`;
  return {
    ...{ inPartition, ofProject, sameProject, writtenSince, ownAudience },
    ...{ audience: over('at_ms'), record: over('created_at_ms') },
  };
}

/** A scope that reads at least this share of all rows is large: all rows are looked through for it, and what it may not read is passed over. */
export const largeShare = 1 / 3;

/** The conditions for statements that only SQLite runs. */
export const {
  inPartition,
  ofProject,
  sameProject,
  writtenSince,
  audience: audiencePredicate,
  record: recordPredicate,
} = readingIn(sqliteDialect);

/** What a reader wants of what its scope may read. */
interface ReadFilter {
  /** Only what belongs to this project. */
  projectID?: string | undefined;
  /** Only memory files, only the pages of one corpus, or neither (`sessions`). */
  corpus?: string | undefined;
  /** True: next to the project's own also the global tier, and the asking session's own tier. False when absent. */
  besideProject?: boolean | undefined;
  /** What has expired is included only for those who forget it. */
  expired?: 'hidden' | 'included' | undefined;
}

/**
 * What the scope may read, or the part of it that is wanted. Throws a ParleyError `missing_scope` when it is
 * absent or malformed; an empty scope reads nothing.
 */
export function readableBy(
  scope: Scope,
  { projectID, besideProject = false, expired = 'hidden', corpus }: ReadFilter = {},
): ScopeFilter {
  const checked = scopeSchema.safeParse(scope);
  if (!checked.success) {
    throw new ParleyError(
      'missing_scope',
      `Expected a scope with audiences, spaces and everyone: ${formatZodError(checked.error).join('; ')}.`,
      { hint: 'Pass the scope that the engine makes from who asks and where; memory has no default.' },
    );
  }
  const {
    audiences,
    since = {},
    spaces,
    everyone,
    partition,
    everyPartition,
    sessionID,
    projectID: ownProject,
  } = checked.data;
  // what is next to the project has no word of it in the full text
  const project = besideProject ? undefined : projectID;
  const wordsIn = (side: Side): string[] => [
    ...audiences.map((audience) => audienceWord(audience, side)),
    ...(everyone ? [everyoneWord(side)] : spaces.map((space) => spaceWord(space, side))),
  ];
  const words =
    everyPartition === true
      ? [...wordsIn({}), ...wordsIn({ owner: true })]
      : wordsIn(partition === undefined ? {} : { partition });
  const query = words.length === 0 ? undefined : inCorpus(allOf(wordsOf(words, project)), corpus);
  return {
    parameters: {
      audiences: JSON.stringify(audiences),
      since: JSON.stringify(since),
      spaces: JSON.stringify(spaces),
      everyone: everyone ? 1 : 0,
      partition: partition ?? null,
      everyPartition: everyPartition === true ? 1 : 0,
      project: projectID ?? null,
      besideProject: besideProject ? 1 : 0,
      ownSession: sessionID ?? null,
      ownProject: ownProject ?? null,
      tiers: checked.data.tiers === undefined ? null : JSON.stringify(checked.data.tiers),
      expired: expired === 'included' ? 1 : 0,
    },
    query,
    match: query && matchOf(query),
    words,
    project: project === undefined ? undefined : projectWord(project),
  };
}

/** The words under which a chunk of this provenance is indexed, so that full text can be narrowed before rows are read. */
export function scopeTerms(where: Provenance & { projectID?: string | undefined }): string {
  const project = where.projectID === undefined ? [] : [projectWord(where.projectID)];
  const { partition } = where;
  const sides: Side[] = partition === undefined ? [{}] : [{ partition }, { owner: true }];
  const words = sides.flatMap((side) => {
    if (where.restricted) return [audienceWord(where.audience, side)];
    const space = where.space === undefined ? [] : [spaceWord(where.space, side)];
    return [audienceWord(where.audience, side), ...space, everyoneWord(side)];
  });
  return [...words, ...project].join(' ');
}

function wordsOf(words: readonly string[], projectID: string | undefined): WordQuery[] {
  const ofProject = projectID === undefined ? [] : [scopeWord(projectWord(projectID))];
  return [anyOf(words.map(scopeWord)), ...ofProject];
}

/**
 * Whose word it is: that of what all agents share, of one agent's own memory, or of the owner, who reads the own memory of all agents.
 * No word of one side is a word of another, so that rows which the scope may not read never take the place of those that it may.
 */
interface Side {
  partition?: string;
  owner?: true;
}

function inSide(text: string, { partition, owner }: Side): string {
  if (owner === true) return JSON.stringify(['owner', text]);
  return partition === undefined ? text : JSON.stringify(['agent', partition, text]);
}

function everyoneWord(side: Side): string {
  const isShared = side.owner === undefined && side.partition === undefined;
  return isShared ? '0everyone' : `0${digest(inSide('everyone', side))}`;
}
/** The words under which passages of files are indexed: all of them, and those that are pages of a corpus. */
const [fileWord, pageWord] = ['5file0', '6page0'];

/** The words of a passage of a memory file, or of a page of the corpus. */
export function fileWords(corpus: string | undefined): string {
  return corpus === undefined ? fileWord : `${fileWord} ${pageWord} ${corpusWord(corpus)}`;
}

function corpusWord(name: string): string {
  return `7${digest(name)}`;
}

/** The part of a query that is in a corpus. */
function inCorpus(query: WordQuery, corpus: string | undefined): WordQuery {
  switch (corpus) {
    case undefined:
    case 'all':
      return query;
    case 'memory':
      return { type: 'not', is: allOf([query, scopeWord(fileWord)]), but: scopeWord(pageWord) };
    case 'sessions':
      return { type: 'not', is: query, but: scopeWord(fileWord) };
    default:
      return allOf([query, scopeWord(corpusWord(corpus))]);
  }
}

function audienceWord(audience: string, side: Side): string {
  return `1${digest(inSide(audience, side))}`;
}

function spaceWord(space: string, side: Side): string {
  return `2${digest(inSide(space, side))}`;
}

/** The word under which the chunks of a project are indexed. */
export function projectWord(projectID: string): string {
  return `3${digest(projectForm(projectID))}`;
}

/** The word under which chunks of a language other than English are indexed. */
export function languageWord(language: StemmedLanguage): string {
  return `4${language}0`;
}

/** The scope words of a chunk in this language: with `terms` those it has. */
export function scopeTermsIn(language: StemmedLanguage, terms: string): string {
  const others = terms.split(' ').filter((word) => !languageWords.has(word));
  return [...others, ...(language === 'en' ? [] : [languageWord(language)])].join(' ');
}

const languageWords = new Set(stemmedLanguages.map(languageWord));

/** 96 bits in hexadecimal: one full-text word that no stemmer changes, since it opens with a digit and ends with one. */
const digest = memoize(1_000, (text) => `${hash('sha256', text).slice(0, 24)}0`);
