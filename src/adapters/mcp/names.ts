// Names of fields as MCP clients write them (`agent_id`) and as the program has them (`agentID`). Pure.

/** `agentID` as `agent_id`. */
export function snakeName(name: string): string {
  return name
    .replace(/IDs$/, '_ids')
    .replace(/ID$/, '_id')
    .replace(/(?<!^)(?<!_)([A-Z])/g, '_$1')
    .toLowerCase();
}

/** Under this name are fields that others named. */
const foreign = 'metadata';

/** The same value with the names of all fields as clients have them. */
export function withSnakeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [snakeName(name), name === foreign ? each : withSnakeNames(each)]),
  );
}
