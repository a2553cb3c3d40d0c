// The models whose vectors are kept, by identity: vectors of two models are never compared.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';

/** The number of the model with this identity, made when it is new. */
export function* modelId(sql: Sql, model: { name: string; dimensions: number }, now: number): Work<number> {
  const find = sql.pluck<[string], number>('SELECT id FROM embedding_models WHERE name = ?');
  const known = yield* find.get(model.name);
  if (known !== undefined) return known;
  const insert = sql.prepare<[string, number, number], never>(
    'INSERT INTO embedding_models (name, dimensions, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
  );
  yield* insert.run(model.name, model.dimensions, Math.round(now));
  const id = yield* find.get(model.name);
  if (id === undefined) throw new Error(`The embedding model ${model.name} has no row after its insert.`);
  return id;
}
