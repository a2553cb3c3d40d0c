// Which sessions a list holds: the filter as SQL and its parameters.
import type { SessionFilter } from '#engine/wire/sessions/filters.ts';

/** The filter as the statement takes it; null for what it does not name. */
export interface FilterParameters {
  platform: string | null;
  person: string | null;
  text: string | null;
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

/** SQL for: all that was written in the session came from rooms that everyone of their space may open. */
export function openSession(id: string): string {
  return `EXISTS (SELECT 1 FROM runs r WHERE r.session_id = ${id} AND r.origin IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.session_id = ${id}
      AND (r.origin IS NULL OR json_extract(r.origin, '$.restricted') = 1))`;
}

/** The condition of a list of sessions. */
export const matching = `(:title IS NULL OR title LIKE :title ESCAPE '\\')
  AND (:source IS NULL OR source_kind = :source)
  AND (:project IS NULL OR project_id = :project)
  AND (:parent IS NULL OR parent_id = :parent)
  AND (:archived IS NULL OR (archived_at_ms IS NOT NULL) = :archived)
  AND (:shared IS NULL OR (shared_at_ms IS NOT NULL) = :shared)
  AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
  AND (:platform IS NULL OR json_extract(source_metadata, '$.platform') = :platform)
  AND (:from IS NULL OR updated_at_ms >= :from) AND (:until IS NULL OR created_at_ms <= :until)
  AND (:person IS NULL OR EXISTS (SELECT 1 FROM runs r WHERE r.session_id = sessions.id
    AND json_extract(r.origin, '$.speaker.name') LIKE :person ESCAPE '\\'))
  AND (:text IS NULL OR EXISTS (SELECT 1 FROM messages m JOIN parts p ON p.message_id = m.id
    WHERE m.session_id = sessions.id AND p.type = 'text' AND p.text LIKE :text ESCAPE '\\'))
  AND (:open IS NULL OR ${openSession('sessions.id')})`;

/** The parameters of `matching`, and the order. */
export function parametersOf(filter: SessionFilter): FilterParameters {
  return {
    title: partOf(filter.title),
    platform: filter.platform ?? null,
    person: partOf(filter.person),
    text: partOf(filter.text),
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
function partOf(text: string | undefined): string | null {
  return text === undefined ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** A flag as SQLite has it. */
export function flagOf(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
