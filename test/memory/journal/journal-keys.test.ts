// A journal of an earlier version, whose keys become those of their project: nothing is lost, and the indexes are whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { loadVectorFunctions } from '#base/sqlite/vector-functions.ts';
import { migrations } from '#memory/tables/schema.ts';
import { clockOf } from '../../support/clock-of.ts';
import { freshPath, start } from '../open-memory.ts';
import { callerOf, openJournal, session } from './journal-kit.ts';

test('the rows of an earlier version keep their keys, which are free in other projects then', async (t) => {
  const path = freshPath(t);
  const clock = clockOf(() => start);
  const before = migrations.findIndex(({ name }) => name === 'keys of the journal in each project');
  const old = openSqlite({
    path,
    migrations: migrations.slice(0, before),
    clock,
    prepare: loadVectorFunctions,
  });
  const columns = `id, agent_id, audience, restricted, project_id, written_by, platform, created_at_ms`;
  const values = (id: string, project: string | null) => [
    id,
    'coder',
    'person:per_1',
    1,
    project,
    'per_1',
    'mcp',
    start,
  ];
  const header = old.prepare(
    `INSERT INTO session_headers (close_key, content_hash, title, summary, ${columns}) VALUES (?, 'h', 't', 's', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  header.run('one', ...values('jnl_1', null));
  header.run('two', ...values('jnl_2', 'parley'));
  old
    .prepare(
      `INSERT INTO session_decisions (lineage_id, title, body, ${columns}) VALUES ('jnl_1', 't', 'b', ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...values('jnl_3', null));
  old.close();

  const { journal, memory } = openJournal(t, { path });
  const record = await journal.getSession(callerOf('per_1'), { id: 'jnl_1' });
  assert.equal((record.decisions as unknown[]).length, 1);
  await journal.closeSession(callerOf('per_1'), session('two'));
  await journal.closeSession(callerOf('per_1', 'parley'), session('one'));
  await assert.rejects(journal.closeSession(callerOf('per_1', 'parley'), session('two')), {
    code: 'close_key_used',
  });
  await memory.close();
  const now = openSqlite({ path, migrations, clock, prepare: loadVectorFunctions });
  t.after(() => now.close());
  assert.deepEqual(now.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
  assert.deepEqual(now.pragma('foreign_key_check'), []);
  for (const project of [null, 'parley'])
    assert.throws(
      () =>
        now
          .prepare(
            `INSERT INTO session_headers (close_key, content_hash, title, summary, ${columns}) VALUES ('one', 'h', 't', 's', ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(...values(`jnl_${project}`, project)),
      { code: 'SQLITE_CONSTRAINT_UNIQUE' },
    );
});
