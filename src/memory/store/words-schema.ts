// The tables of words in the language of their text.

/**
 * One word index, and words in the language of their text. Rows of earlier versions are read as English until they no longer existed over in the
 * background, up to the newest of them; what only the former ranking read is emptied then, too.
 */
export const languageOfWords = `
ALTER TABLE global_memory_chunks ADD COLUMN language TEXT;
DROP TRIGGER global_memory_chunks_passage;
DROP INDEX global_memory_chunks_vector;
CREATE TABLE memory_words_work (done_to INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
INSERT INTO memory_words_work (done_to, until) SELECT 0, ifnull(max(row), 0) FROM global_memory_chunks;
`;
