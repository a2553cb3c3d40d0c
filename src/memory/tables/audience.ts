// Who may read a chunk: the one predicate that every read path uses, and the check that a scope was given.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { memoize } from '#base/memoize.ts';
import { type Provenance, type Scope, tiers } from '#memory/types/scope.ts';
import type { Language } from '#memory/words/languages.ts';

const scopeSchema = z.object({
  audiences: z.array(z.string().regex(/^(person|room):[\s\S]+$/)),
  since: z.record(z.string(), z.number()).optional(),
  spaces: z.array(z.string().min(1)),
  everyone: z.boolean(),
  sessionID: z.string().optional(),
  projectID: z.string().optional(),
  tiers: z.array(z.enum(tiers)).optional(),
});

/** A checked scope as SQL and as a full-text filter; both say the same, and the SQL has the last word. */
export interface ScopeFilter {
  /** What `audiencePredicate` takes. */
  parameters: {
    audiences: string;
    since: string;
    spaces: string;
    everyone: 0 | 1;
    project: string | null;
    /** 1: what is for every project, and what is for the asking session, is read next to the project's own. */
    besideProject: 0 | 1;
    ownSession: string | null;
    ownProject: string | null;
    /** JSON, or null for every tier. */
    tiers: string | null;
    expired: 0 | 1;
  };
  /** The same as an FTS5 expression over the scope words, or undefined when the scope reads nothing. */
  match: string | undefined;
  /** The scope words of which a chunk needs one, and the word of the project that it needs also, if any. */
  words: readonly string[];
  project: string | undefined;
}

/**
 * The condition under which a row of a table with these columns may be read; its parameters come from `readableBy`, and `now_ms()` from
 * the connection. `saidAt` is the column with the time at which the row's words were written. A row is read as one of its audience, or as
 * one of its space when it was written in an open room that is still open. Its tier and its expiry can still forbid it.
 */
const predicateOver = (
  saidAt: 'at_ms' | 'created_at_ms',
): string => `((audience IN (SELECT value FROM json_each(@audiences)) AND ${saidSince(saidAt)})
  OR (restricted = 0 AND (@everyone = 1 OR space IN (SELECT value FROM json_each(@spaces)))
    AND NOT EXISTS (SELECT 1 FROM memory_closed_rooms WHERE room = audience)))
  AND (@project IS NULL OR project_id = @project
    OR (@besideProject = 1 AND (tier = 'global' OR (tier = 'session' AND session_id = @ownSession))))
  AND (@tiers IS NULL OR tier IN (SELECT value FROM json_each(@tiers)))
  AND (tier = 'global' OR @ownSession IS NULL OR (tier = 'session' AND session_id = @ownSession)
    OR (tier = 'project' AND project_id = @ownProject))
  AND (expires_at_ms IS NULL OR @expired = 1 OR expires_at_ms > now_ms())`;

/** Whether a row of one of the scope's own audiences was written late enough for the scope; `@since` is a parameter of `readableBy`. */
export function saidSince(saidAt: 'at_ms' | 'created_at_ms'): string {
  return `NOT EXISTS (SELECT 1 FROM json_each(@since) AS bound WHERE bound.key = audience AND bound.value >= ${saidAt})`;
}

/** A scope that reads at least this share of all rows is large: all rows are looked through for it, and what it may not read is passed over. */
export const largeShare = 1 / 3;

/** The condition over `global_memory_chunks`. */
export const audiencePredicate = predicateOver('at_ms');

/** The condition over `memory_records`, whose `created_at_ms` is the time at which a record was noted. */
export const recordPredicate = predicateOver('created_at_ms');

/** What a reader wants of what its scope may read. */
export interface Wanted {
  /** Only what belongs to this project. */
  projectID?: string | undefined;
  /** Only passages of memory files, or everything but these. */
  corpus?: 'memory' | 'sessions' | undefined;
  /** True: next to the project's own also the global tier, and the asking session's own tier. False when absent. */
  besideProject?: boolean | undefined;
  /** What has expired is included for those only who forget it. */
  expired?: 'hidden' | 'included' | undefined;
}

/**
 * What the scope may read, or the part of it that is wanted. Throws a ParleyError `missing_scope` when it is
 * absent or malformed; an empty scope reads nothing.
 */
export function readableBy(
  scope: Scope,
  { projectID, besideProject = false, expired = 'hidden', corpus }: Wanted = {},
): ScopeFilter {
  const checked = scopeSchema.safeParse(scope);
  if (!checked.success) {
    throw new ParleyError(
      'missing_scope',
      `Expected a scope with audiences, spaces and everyone: ${formatZodError(checked.error).join('; ')}.`,
      { hint: 'Pass the scope that the engine makes from who asks and where; memory has no default.' },
    );
  }
  const { audiences, since = {}, spaces, everyone, sessionID, projectID: ownProject } = checked.data;
  // what is next to the project has no word of it in the full text
  const project = besideProject ? undefined : projectID;
  const words = [...audiences.map(audienceWord), ...(everyone ? [everyoneWord] : spaces.map(spaceWord))];
  return {
    parameters: {
      audiences: JSON.stringify(audiences),
      since: JSON.stringify(since),
      spaces: JSON.stringify(spaces),
      everyone: everyone ? 1 : 0,
      project: projectID ?? null,
      besideProject: besideProject ? 1 : 0,
      ownSession: sessionID ?? null,
      ownProject: ownProject ?? null,
      tiers: checked.data.tiers === undefined ? null : JSON.stringify(checked.data.tiers),
      expired: expired === 'included' ? 1 : 0,
    },
    match: words.length === 0 ? undefined : `${matchOf(words, project)}${corpusMatch[corpus ?? 'all']}`,
    words,
    project: project === undefined ? undefined : projectWord(project),
  };
}

/** The words under which a chunk of this provenance is indexed, so that full text can be narrowed before rows are read. */
export function scopeTerms(where: Provenance & { projectID?: string | undefined }): string {
  const project = where.projectID === undefined ? [] : [projectWord(where.projectID)];
  if (where.restricted) return [audienceWord(where.audience), ...project].join(' ');
  const space = where.space === undefined ? [] : [spaceWord(where.space)];
  return [audienceWord(where.audience), ...space, everyoneWord, ...project].join(' ');
}

function matchOf(words: readonly string[], projectID: string | undefined): string {
  const scope = `{scope_terms} : (${words.map((word) => `"${word}"`).join(' OR ')})`;
  return projectID === undefined ? scope : `${scope} AND {scope_terms} : "${projectWord(projectID)}"`;
}

const everyoneWord = '0everyone';
/** The word under which passages of memory files are indexed. */
export const fileWord = '5file0';
const corpusMatch = {
  all: '',
  memory: ` AND {scope_terms} : "${fileWord}"`,
  sessions: ` NOT {scope_terms} : "${fileWord}"`,
};

function audienceWord(audience: string): string {
  return `1${digest(audience)}`;
}

function spaceWord(space: string): string {
  return `2${digest(space)}`;
}

/** The word under which the chunks of a project are indexed. */
export function projectWord(projectID: string): string {
  return `3${digest(projectID)}`;
}

/** The word under which chunks of a language other than English are indexed. */
export function languageWord(language: Language): string {
  return `4${language}0`;
}

/** 96 bits in hexadecimal: one full-text word that no stemmer changes, since it opens with a digit and ends with one. */
const digest = memoize(1_000, (text) => `${hash('sha256', text).slice(0, 24)}0`);
