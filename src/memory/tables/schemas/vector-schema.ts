// The tables of vectors: one a chunk and a model, how far each model has come, and what waits for its file to be imported again.

/**
 * Vectors are floats of 32 bits, of length 1, as sqlite-vec compares them, with the model in each row: a change of models can stop halfway,
 * and a change back finds them again. A text that a model refused has the reason next to it, and
 * when the model is asked again where it answered with what is no vector. A chunk that goes or says something else takes its vectors with it. The cache has vectors of chunks whose file is being imported again, by model and text.
 */
const vectors = `
CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE memory_embeddings (
  row INTEGER NOT NULL,
  model INTEGER NOT NULL REFERENCES embedding_models (id),
  text_hash TEXT NOT NULL,
  embedding BLOB,
  refusal TEXT,
  ask_again TEXT CHECK (ask_again IN ('after success', 'now', 'at start')),
  PRIMARY KEY (row, model)
) STRICT;
CREATE INDEX memory_embeddings_text ON memory_embeddings (model, text_hash) WHERE embedding IS NOT NULL;
CREATE INDEX memory_embeddings_refused ON memory_embeddings (model) WHERE embedding IS NULL;
CREATE TRIGGER memory_embeddings_gone AFTER DELETE ON global_memory_chunks BEGIN
  DELETE FROM memory_embeddings WHERE row = old.row;
END;
CREATE TRIGGER memory_embeddings_changed AFTER UPDATE OF content ON global_memory_chunks WHEN old.content <> new.content BEGIN
  DELETE FROM memory_embeddings WHERE row = old.row;
  UPDATE memory_embedding_work SET done_to = min(done_to, old.row - 1);
END;

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
`;

/**
 * The sign bits of vectors, in blocks of rows. Each change of a block gets the next version, by which readers see what changed. Made again
 * where it was lost.
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

/** A view for each tier is for other programs that open the file: no statement of this one reads it. */
const views = ['session', 'project', 'global'].map(
  (tier) => `
CREATE VIEW ${tier}_memory_vectors AS
SELECT chunk.row, chunk.id, chunk.audience, made.name AS model, embedding
FROM memory_embeddings AS vector JOIN global_memory_chunks AS chunk USING (row)
  JOIN embedding_models AS made ON made.id = vector.model
WHERE embedding IS NOT NULL AND tier = '${tier}';`,
);

/** All of them. */
export const vectorSchema = vectors + signBits + views.join('');
