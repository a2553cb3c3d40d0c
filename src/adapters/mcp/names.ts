// Answers as MCP clients read them: names of fields (`agent_id` for `agentID`), times in ISO 8601, and what all entries share once. Pure.

/** `agentID` as `agent_id`. */
export function snakeName(name: string): string {
  return name
    .replace(/IDs$/, '_ids')
    .replace(/ID$/, '_id')
    .replace(/(?<!^)(?<!_)([A-Z])/g, '_$1')
    .toLowerCase();
}

/** Sections of a bundle, which are named as their fields. */
const sectionField = 'section';

/** Under this name are fields that others named. */
const foreign = 'metadata';

/** The same value with the names of all fields as clients have them, and moments as text. */
function withSnakeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeNames);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [snakeName(name), name === foreign ? each : shown(name, each)]),
  );
}

function shown(name: string, value: unknown): unknown {
  if (name === sectionField && typeof value === 'string') return snakeName(value);
  return typeof value === 'number' && /[a-z]At$/.test(name)
    ? new Date(value).toISOString()
    : withSnakeNames(value);
}

/** Fields of an entry of the journal that say where it comes from. */
const origin = [
  'agent_id',
  'audience',
  'partition',
  'project_id',
  'written_by',
  'platform',
  'created_at',
  'updated_at',
];

/** An answer for a client: what all entries of the journal in it have in common is there once, as `shared`. */
export function shownAnswer(result: unknown): unknown {
  const answer = withSnakeNames(result);
  const entries = entriesIn(answer);
  const [first] = entries;
  if (first === undefined || entries.length < 2 || !isObject(answer)) return answer;
  const shared = origin.filter(
    (field) => first[field] !== undefined && entries.every((each) => each[field] === first[field]),
  );
  if (shared.length === 0) return answer;
  const said = Object.fromEntries(shared.map((field) => [field, first[field]]));
  for (const entry of entries) for (const field of shared) delete entry[field];
  return { ...answer, shared: said };
}

/** The entries of the journal inside an answer, those in entries among them. */
function entriesIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(entriesIn);
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, each]) => (name === foreign ? [] : entriesIn(each)));
  return 'written_by' in value && 'agent_id' in value ? [value, ...inside] : inside;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
