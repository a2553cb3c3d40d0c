// What was allowed permanently: one rule for each agent and tool. Called inside transactions.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { PermissionRule } from '#engine/wire/runs/request.ts';

interface Row {
  id: string;
  agent: string;
  tool: string;
  created_at_ms: number;
  created_by: string | null;
}

export interface RuleRows {
  /** The rule that now stands: an older one for the same agent and tool stays. */
  put(rule: PermissionRule): PermissionRule;
  of(agent: string, tool: string): PermissionRule | undefined;
  /** Newest first. */
  all(): PermissionRule[];
  /** False when there was none. */
  remove(id: string): boolean;
}

/** Statements over the engine's open database. */
export function createRuleRows(database: Sqlite): RuleRows {
  const put = database.prepare<Row>(
    `INSERT INTO permission_rules (id, agent, tool, created_at_ms, created_by)
     VALUES (:id, :agent, :tool, :created_at_ms, :created_by) ON CONFLICT (agent, tool) DO NOTHING`,
  );
  const of = database.prepare<[string, string], Row>(
    'SELECT * FROM permission_rules WHERE agent = ? AND tool = ?',
  );
  const all = database.prepare<[], Row>('SELECT * FROM permission_rules ORDER BY id DESC');
  const remove = database.prepare<[string]>('DELETE FROM permission_rules WHERE id = ?');
  const find = (agent: string, tool: string): PermissionRule | undefined => {
    const row = of.get(agent, tool);
    return row && fromRow(row);
  };
  return {
    put(rule) {
      const { id, agent, tool, createdAtMs, by } = rule;
      const created_by = by === undefined ? null : JSON.stringify(by);
      put.run({ id, agent, tool, created_at_ms: createdAtMs, created_by });
      return find(agent, tool) ?? rule;
    },
    of: find,
    all: () => all.all().map(fromRow),
    remove: (id) => remove.run(id).changes === 1,
  };
}

function fromRow(row: Row): PermissionRule {
  return {
    id: row.id,
    agent: row.agent,
    tool: row.tool,
    createdAtMs: row.created_at_ms,
    ...(row.created_by === null ? {} : { by: JSON.parse(row.created_by) }),
  };
}
