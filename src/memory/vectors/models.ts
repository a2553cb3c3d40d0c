// The models whose vectors are kept, by identity: vectors of two models are never compared.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** The number of the model with this identity, made when it is new. */
export function modelId(database: Sqlite, model: { name: string; dimensions: number }, now: number): number {
  const find = database.prepare<[string], number>('SELECT id FROM embedding_models WHERE name = ?').pluck();
  const known = find.get(model.name);
  if (known !== undefined) return known;
  database
    .prepare(
      'INSERT INTO embedding_models (name, dimensions, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
    )
    .run(model.name, model.dimensions, now);
  const id = find.get(model.name);
  if (id === undefined) throw new Error(`The embedding model ${model.name} has no row after its insert.`);
  return id;
}
