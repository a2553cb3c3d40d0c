// Which runs are to be masked, and where in the tables they have left words.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createStoredValues, type StoredValues, type ValuePlace } from '#base/sqlite/stored-values.ts';

/** A run that is over. */
export interface RunToMask {
  position: number;
  runID: string;
  /** Ids of what was written and answered, and of their copies in forks, as JSON. */
  messageIDs: string;
}

/** The ids of runs and of their messages, each as JSON. */
interface RunsToMask {
  runIDs: string;
  messageIDs: string;
}

/** These runs, as statements take them. */
export function among(runs: readonly RunToMask[]): RunsToMask {
  return {
    runIDs: JSON.stringify(runs.map(({ runID }) => runID)),
    messageIDs: JSON.stringify(runs.flatMap(({ messageIDs }) => JSON.parse(messageIDs))),
  };
}

interface RunMaskRows {
  /**
   * Runs that are not masked yet and whose words nobody needs as they were written: what was delivered and handed to memory; what ended
   * before `settled` for a client, or without an answer to deliver; and what ended before `abandoned`. Oldest first, after that position.
   */
  due(when: { settled: number; abandoned: number; after: number; limit: number }): RunToMask[];
  /** All that the runs have left, and what their sessions have next to the messages: title, to-dos, newest summary. */
  values: StoredValues<RunsToMask>;
  done(runIDs: readonly string[], at: number): void;
}

const theseRuns = 'IN (SELECT value FROM json_each(:runIDs))';
/** The sessions of the runs, and forks that have copies of their messages. */
const itsSessions =
  'IN (SELECT session_id FROM messages WHERE id IN (SELECT value FROM json_each(:messageIDs)))';
/** Missions that the runs began, and those that they are instances of where no run began them. */
const itsMissions = `IN (SELECT id FROM team_missions WHERE run_id ${theseRuns}
   OR (run_id IS NULL AND id IN (SELECT mission_id FROM team_instances WHERE run_id ${theseRuns})))`;

const places: readonly ValuePlace[] = [
  {
    table: 'parts',
    key: 'position',
    text: ['text', 'error', 'filename'],
    json: ['args', 'result'],
    where: 'message_id IN (SELECT value FROM json_each(:messageIDs))',
  },
  { table: 'runs', key: 'position', text: ['text'], json: [], where: `id ${theseRuns}` },
  {
    table: 'requests',
    key: 'position',
    text: [],
    json: ['args', 'questions', 'reply'],
    where: 'user_message_id IN (SELECT value FROM json_each(:messageIDs))',
  },
  { table: 'events', key: 'seq', text: [], json: ['properties'], where: `run_id ${theseRuns}` },
  {
    table: 'events',
    key: 'seq',
    text: [],
    json: ['properties'],
    where: `session_id ${itsSessions} AND run_id IS NULL AND type IN ('session.updated', 'todo.updated')`,
  },
  { table: 'sessions', key: 'id', text: ['title'], json: ['todos'], where: `id ${itsSessions}` },
  {
    table: 'session_summaries',
    key: 'position',
    text: ['text'],
    json: [],
    where: `position IN (SELECT max(position) FROM session_summaries WHERE session_id ${itsSessions} GROUP BY session_id)`,
  },
  { table: 'team_missions', key: 'position', text: ['reason'], json: [], where: `id ${itsMissions}` },
  {
    table: 'team_instances',
    key: 'position',
    text: ['task', 'justification', 'error'],
    json: [],
    where: `mission_id ${itsMissions} AND status NOT IN ('queued', 'running', 'interrupted')`,
  },
];

/** Statements over the engine's open database. */
export function createRunMaskRows(database: Sqlite): RunMaskRows {
  const due = database.prepare<object, RunToMask>(
    `SELECT position, id AS runID, (SELECT json_group_array(id) FROM messages
         WHERE run_id = runs.id OR id = runs.user_message_id OR id = runs.assistant_message_id) AS messageIDs
     FROM runs
     WHERE masked_at_ms IS NULL AND position > :after AND status <> 'running'
       AND (archived IS NOT NULL OR finished_at_ms <= :abandoned
         OR (finished_at_ms <= :settled AND status <> 'interrupted' AND (status <> 'completed' OR origin IS NULL)))
       AND NOT EXISTS (SELECT 1 FROM runs AS again
         WHERE again.session_id = runs.session_id AND again.status = 'running' AND again.user_message_id = runs.user_message_id)
     ORDER BY position LIMIT :limit`,
  );
  const done = database.prepare<[number, string]>(
    'UPDATE runs SET masked_at_ms = ? WHERE id IN (SELECT value FROM json_each(?))',
  );
  return {
    due: (when) => due.all(when),
    values: createStoredValues(database, places),
    done: (runIDs, at) => void done.run(at, JSON.stringify(runIDs)),
  };
}
