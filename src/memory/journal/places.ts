// Which agents and projects the journal has for a reader, whatever the project of the call.

import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { readableBy, readingIn } from '#memory/tables/audience.ts';
import type { JournalCaller, JournalPlace } from '#memory/types/journal.ts';
import { projectForm } from '#memory/types/project-form.ts';

/** Tables of whose entries every agent that works has some. */
const tables = ['session_headers', 'lessons', 'touchstones', 'conversations', 'build_records', 't4_entries'];
/** Those of which one may be noted without a session. */
const noted = ['session_decisions', 'open_threads', 'next_steps', 'key_context'];
const all = [
  ...tables.map((table) => ({ table, which: 'TRUE' })),
  ...noted.map((table) => ({ table, which: 'lineage_id IS NULL' })),
];

/** Under this name an agent writes lessons for every agent and project. */
export const everyAgent = 'general';

export interface JournalPlaces {
  /** Each project with each of its agents, the latest entry first. */
  all(caller: JournalCaller): Work<JournalPlace[]>;
  /** The agent or the project as the journal spells it: of a name that it has in another case only, that one. */
  spelled(caller: JournalCaller, name: string, of?: 'project'): Work<string>;
  /** Notes that the agent was shown what is open in the caller's project. */
  wake(caller: JournalCaller, agentID: string, at: number): Work<unknown>;
  /** When that was last, in milliseconds since the epoch; 0 where it never was. */
  wokenAt(caller: JournalCaller, agentID: string): Work<number>;
}

/** The places of one database. */
export function createJournalPlaces(sql: Sql): JournalPlaces {
  const { record } = readingIn(sql.dialect);
  const places = sql.prepare<[object], JournalPlace>(
    `SELECT project_id AS projectID, agent_id AS agentID, sum(sessions) AS sessions, max(latest) AS latestAt FROM (${all
      .map(
        ({ table, which }) =>
          `SELECT project_id, agent_id, ${table === 'session_headers' ? 'count(*)' : '0'} AS sessions, max(created_at_ms) AS latest
           FROM ${table} WHERE ${which} AND (${record}) GROUP BY project_id, agent_id`,
      )
      .join(' UNION ALL ')}) AS written GROUP BY project_id, agent_id
     ORDER BY max(latest) DESC, project_id IS NOT NULL, project_id, agent_id`,
  );
  const knownBy = (column: string) =>
    all.map(({ table, which }) =>
      sql.prepare<[object], object>(
        `SELECT 1 FROM ${table} WHERE ${which} AND ${column} = @name AND (${record}) LIMIT 1`,
      ),
    );
  const known = { agent: knownBy('agent_id'), project: knownBy('project_id') };
  const placesOf = ({ scope }: JournalCaller): Work<JournalPlace[]> =>
    places.all(readableBy(scope).parameters);
  const noteWake = sql.prepare<[object], never>(
    `INSERT INTO journal_wakes (audience, agent_id, project_id, at_ms) VALUES (@audience, @agent, @project, @at)
     ON CONFLICT (audience, agent_id, project_id) DO UPDATE SET at_ms = @at`,
  );
  const lastWake = sql.pluck<[object], number>(
    'SELECT at_ms FROM journal_wakes WHERE audience = @audience AND agent_id = @agent AND project_id = @project',
  );
  // a name is the same in any case, also one under which nothing was written yet
  const wakeOf = ({ where, projectID }: JournalCaller, agent: string) => ({
    audience: where.audience,
    agent: agent.toLowerCase(),
    project: projectID === undefined ? undefined : projectForm(projectID),
  });
  return {
    wake: (caller, agentID, at) => noteWake.run({ ...wakeOf(caller, agentID), at: Math.round(at) }),
    *wokenAt(caller, agentID) {
      return (yield* lastWake.get(wakeOf(caller, agentID))) ?? 0;
    },
    all: placesOf,
    *spelled(caller, name, of) {
      if (of !== 'project' && name.toLowerCase() === everyAgent) return everyAgent;
      const values = { ...readableBy(caller.scope).parameters, name };
      for (const statement of known[of ?? 'agent'])
        if ((yield* statement.get(values)) !== undefined) return name;
      const names = (yield* placesOf(caller)).map(({ agentID, projectID }) =>
        of === 'project' ? projectID : agentID,
      );
      return names.find((each) => each?.toLowerCase() === name.toLowerCase()) ?? name;
    },
  };
}
