// Which sessions a list holds: the filter as SQL and its parameters.
import type { SessionFilter } from '#engine/wire/sessions/filters.ts';
import { chatsOf, type PlaceNameTable } from './place-names.ts';

/** The filter as the statement takes it; null for what it does not name. */
export interface FilterParameters {
  platform: string | null;
  chat: string | null;
  room: string | null;
  person: string | null;
  agent: string | null;
  text: string | null;
  /** What the index of the texts must hold; null for a text that is too short for it. */
  words: string | null;
  from: number | null;
  until: number | null;
  open: number | null;
  order: 'created' | 'updated';
  title: string | null;
  source: string | null;
  project: string | null;
  parent: string | null;
  archived: number | null;
  shared: number | null;
  ids: string | null;
}

const platformSql = "json_extract(source_metadata, '$.platform')";

/** SQL for the chat that a run was written in. */
const chatSql = (of: string): string => `json_extract(${of}origin, '$.chat')`;

/** SQL for: all that was written in the session came from rooms that everyone of their space could open then, and may open now. */
export function openSession(id: string): string {
  return `EXISTS (SELECT 1 FROM runs r WHERE r.session_id = ${id} AND r.origin IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.session_id = ${id}
      AND (r.origin IS NULL OR json_extract(r.origin, '$.restricted') = 1
        OR json_extract(r.origin, '$.audience') IN (SELECT audience FROM closed_rooms)))`;
}

/** SQL for: a chat whose address is in one of the ranges of a parameter wrote in the session, or asked for the run (`r.id`). */
export function inRanges(parameter: string, which: 'r.session_id' | 'r.id' = 'r.session_id'): string {
  return `id IN (SELECT ${which} FROM json_each(:${parameter}) w CROSS JOIN runs r WHERE r.origin IS NOT NULL
    AND ${chatSql('r.')} >= json_extract(w.value, '$[0]') AND ${chatSql('r.')} < json_extract(w.value, '$[1]'))`;
}

/** The conditions of a list of sessions, by the parameters that they read. */
const conditions: Partial<Record<keyof FilterParameters, string>> = {
  title: "title LIKE :title ESCAPE '\\'",
  source: 'source_kind = :source',
  project: 'project_form(project_id) = project_form(:project)',
  parent: 'parent_id = :parent',
  archived: '(archived_at_ms IS NOT NULL) = :archived',
  shared: '(shared_at_ms IS NOT NULL) = :shared',
  ids: 'id IN (SELECT value FROM json_each(:ids))',
  platform: `${platformSql} = :platform`,
  from: 'updated_at_ms >= :from',
  until: 'created_at_ms <= :until',
  chat: inRanges('chat'),
  room: inRanges('room'),
  person: `EXISTS (SELECT 1 FROM runs r WHERE r.session_id = sessions.id
    AND json_extract(r.origin, '$.speaker.name') LIKE :person ESCAPE '\\')`,
  agent: "EXISTS (SELECT 1 FROM runs r WHERE r.session_id = sessions.id AND r.agent LIKE :agent ESCAPE '\\')",
  text: `EXISTS (SELECT 1 FROM messages m JOIN parts p ON p.message_id = m.id
    WHERE m.session_id = sessions.id AND p.type = 'text' AND p.text LIKE :text ESCAPE '\\')`,
  words: `id IN (SELECT m.session_id FROM part_words w CROSS JOIN parts p ON p.position = w.rowid JOIN messages m ON m.id = p.message_id
    WHERE w.part_words MATCH :words AND p.text LIKE :text ESCAPE '\\')`,
  open: openSession('sessions.id'),
};

/** Statements of lists that stay compiled, each for other conditions: more than the console and a program or two use. */
export const maxLists = 50;

/** SQL for the parameters that a list was given: one that it was not given hinders no index. */
export function sqlFilterOf<P extends object>(of: Partial<Record<keyof P, string>>, given: P): string {
  const named = Object.entries<string | undefined>(of).filter(([name]) => given[name as keyof P] !== null);
  return named.length === 0 ? 'TRUE' : named.map(([, sql]) => sql).join(' AND ');
}

/** The condition of a list of sessions; a text of fewer than three characters is searched in every part. */
export const matching = (given: FilterParameters): string =>
  sqlFilterOf(conditions, given.words === null ? given : { ...given, text: null });

/** The parameters of `matching`, and the order; `rangesOf` finds rooms by their names. */
export function parametersOf(filter: SessionFilter, rangesOf: PlaceNameTable['rangesOf']): FilterParameters {
  return {
    title: partOf(filter.title),
    platform: filter.platform ?? null,
    chat: filter.chat === undefined ? null : JSON.stringify(chatsOf(filter.chat)),
    room: filter.room === undefined ? null : JSON.stringify(rangesOf(filter.room)),
    person: partOf(filter.person),
    agent: partOf(filter.agent),
    text: partOf(filter.text),
    words: wordsOf(filter.text),
    from: filter.fromMs ?? null,
    until: filter.untilMs ?? null,
    open: filter.open === undefined ? null : 1,
    order: filter.order ?? 'created',
    source: filter.sourceKind ?? null,
    project: filter.projectID ?? null,
    parent: filter.parentID ?? null,
    archived: flagOf(filter.archived),
    shared: flagOf(filter.shared),
    ids: filter.ids === undefined ? null : JSON.stringify(filter.ids),
  };
}

/** A pattern for LIKE: the text anywhere. */
export function partOf(text: string | undefined): string | null {
  return text === undefined ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Of a long text this many threes of characters are looked up: they leave few parts, whose texts are then compared. */
const maximalWords = 50;

/** The expression of the index for texts that may hold this one: every three characters of it that follow each other. */
function wordsOf(text = ''): string | null {
  // LIKE reads a pattern as far as its first NUL
  const [read = ''] = text.split('\0', 1);
  const characters = [...read];
  const threes = characters
    .slice(2)
    .map((last, at) => `"${`${characters[at]}${characters[at + 1]}${last}`.replaceAll('"', '""')}"`);
  return threes.length === 0 ? null : [...new Set(threes)].slice(0, maximalWords).join(' AND ');
}

/** A flag as SQLite has it. */
export function flagOf(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
