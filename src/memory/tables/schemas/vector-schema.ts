// The tables of vectors: one a chunk and a model, how far each model has come, and what waits for its file to be imported again.
import { changeSchema } from '#base/sqlite/change-schema.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { bytesOf } from '#base/sqlite/vector-functions.ts';

/** A chunk that goes or says something else takes its vectors with it. */
const vectorsGo = `
CREATE TRIGGER memory_embeddings_gone AFTER DELETE ON global_memory_chunks BEGIN
  DELETE FROM memory_embeddings WHERE row = old.row;
END;
CREATE TRIGGER memory_embeddings_changed AFTER UPDATE OF content ON global_memory_chunks WHEN old.content <> new.content BEGIN
  DELETE FROM memory_embeddings WHERE row = old.row;
  UPDATE memory_embedding_work SET done_to = min(done_to, old.row - 1);
END;
`;

/**
 * Vectors of a model, one a chunk, with the model in each row, so that a change of models can stop halfway; how far each model has come;
 * and vectors of chunks whose file is being imported again, by model and text.
 */
export const embeddings = `
CREATE TABLE memory_embeddings (
  row INTEGER PRIMARY KEY,
  model INTEGER NOT NULL REFERENCES embedding_models (id),
  text_hash TEXT NOT NULL,
  embedding BLOB
) STRICT;
CREATE INDEX memory_embeddings_text ON memory_embeddings (model, text_hash) WHERE embedding IS NOT NULL;
CREATE TABLE memory_embedding_cache (
  model INTEGER NOT NULL,
  text_hash TEXT NOT NULL,
  embedding BLOB NOT NULL,
  PRIMARY KEY (model, text_hash)
) STRICT;
CREATE TABLE memory_embedding_work (
  model INTEGER PRIMARY KEY REFERENCES embedding_models (id),
  done_to INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  next_try_at_ms INTEGER NOT NULL,
  last_error TEXT
) STRICT;
${vectorsGo}`;

/**
 * Each model keeps the vectors that it made, so that a change back to it finds them again, and a text that a model refused has the
 * reason next to it. Where another model wrote over vectors, the model goes over those rows again.
 */
export const vectorsOfEachModel = `
DROP TRIGGER memory_embeddings_gone;
DROP TRIGGER memory_embeddings_changed;
CREATE TABLE memory_embeddings_each (
  row INTEGER NOT NULL,
  model INTEGER NOT NULL REFERENCES embedding_models (id),
  text_hash TEXT NOT NULL,
  embedding BLOB,
  refusal TEXT,
  PRIMARY KEY (row, model)
) STRICT;
INSERT INTO memory_embeddings_each (row, model, text_hash, embedding)
  SELECT row, model, text_hash, embedding FROM memory_embeddings;
DROP TABLE memory_embeddings;
ALTER TABLE memory_embeddings_each RENAME TO memory_embeddings;
CREATE INDEX memory_embeddings_text ON memory_embeddings (model, text_hash) WHERE embedding IS NOT NULL;
CREATE INDEX memory_embeddings_refused ON memory_embeddings (model) WHERE embedding IS NULL;
UPDATE memory_embedding_work SET done_to = coalesce(
  (SELECT min(chunk.row) - 1 FROM global_memory_chunks AS chunk
   WHERE chunk.row <= memory_embedding_work.done_to AND NOT EXISTS
     (SELECT 1 FROM memory_embeddings AS made WHERE made.row = chunk.row AND made.model = memory_embedding_work.model)),
  done_to);
${vectorsGo}`;

/**
 * The sign bits of vectors, in blocks of rows: what earlier versions stored with the extension sqlite-vec. Each change of a block gets
 * the next version, by which readers see what changed. Made again where it was lost.
 */
export const signBits = `
CREATE TABLE IF NOT EXISTS memory_vector_bits (
  block INTEGER NOT NULL,
  model INTEGER NOT NULL REFERENCES embedding_models (id),
  version INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (block, model)
) STRICT;
CREATE INDEX IF NOT EXISTS memory_vector_bits_version ON memory_vector_bits (version);
`;

/** Makes their table, and drops those of earlier versions. */
export function signBitsSchema(database: Sqlite): void {
  database.exec(signBits);
  dropVec0(database);
}

/**
 * Drops every table of the module `vec0`. SQLite drops a virtual table by its module, which is not
 * loaded; so the table is taken out of the schema, and the tables behind it are ordinary ones then.
 */
function dropVec0(database: Sqlite): void {
  const virtual = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING vec0%'",
    )
    .pluck()
    .all();
  if (virtual.length === 0) return;
  const stored = database
    .prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?")
    .pluck();
  changeSchema(
    database,
    "DELETE FROM sqlite_schema WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))",
    JSON.stringify(virtual),
  );
  for (const name of virtual)
    for (const table of stored.all(`${name}_*`)) database.exec(`DROP TABLE ${table}`);
}

/** The tiers of chunks. */
const tiers = ['session', 'project', 'global'] as const;

/**
 * Vectors are floats of 32 bits, of length 1, as sqlite-vec compares them; earlier versions stored a byte for each number.
 * A view for each tier is for other programs that open the file: no statement of this one reads it.
 */
export function floatVectorsSchema(database: Sqlite): void {
  database.function('float_vector', { deterministic: true }, (bytes: Buffer) =>
    bytesOf(Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))),
  );
  for (const table of ['memory_embeddings', 'memory_embedding_cache'])
    database.exec(`UPDATE ${table} SET embedding = vec_normalize(float_vector(embedding))
      WHERE length(embedding) = (SELECT dimensions FROM embedding_models WHERE id = model)`);
  for (const tier of tiers)
    database.exec(`CREATE VIEW IF NOT EXISTS ${tier}_memory_vectors AS
      SELECT chunk.row, chunk.id, chunk.audience, made.name AS model, embedding
      FROM memory_embeddings AS vector JOIN global_memory_chunks AS chunk USING (row)
        JOIN embedding_models AS made ON made.id = vector.model
      WHERE embedding IS NOT NULL AND tier = '${tier}'`);
}
