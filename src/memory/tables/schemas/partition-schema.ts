// The column that says under which one agent a row is found. Rows of earlier versions are of no agent: all of them share these.

const tables = [
  'global_memory_chunks',
  'memory_records',
  'session_headers',
  'session_decisions',
  'key_context',
  'open_threads',
  'next_steps',
  'lessons',
  'touchstones',
  'conversations',
  'conversation_entries',
  't4_entries',
  'build_records',
  'build_phases',
  'work_slices',
];

/** The migration that adds it to every table over which the audience predicate goes. */
export const partitionSchema = tables
  .map((table) => `ALTER TABLE ${table} ADD COLUMN partition TEXT;`)
  .join('\n');
