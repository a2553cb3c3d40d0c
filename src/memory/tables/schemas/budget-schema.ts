// What is left of exchanges that a budget took away: where they came from, so that forgetting still reaches what was made of them.

/**
 * `of_record` is the summary that an exchange is in, and empty where nothing is in its place. The content hash is what holds a forgotten
 * exchange from being stored again. The rows outlive their summary: forgetting removes them itself.
 */
export const budgetSchema = `
ALTER TABLE memory_episode_sources ADD COLUMN content_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE memory_episode_sources ADD COLUMN partition TEXT;
DROP TRIGGER memory_records_without_sources;
`;

/** The claims of an exchange that lines of files were made of: its text is no longer there to say them when it is forgotten. */
export const claimsOfEpisodesSchema = `
ALTER TABLE memory_episode_sources ADD COLUMN claims TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(claims));
`;
