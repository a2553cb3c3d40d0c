// The names by which models call the tools of MCP servers: of letters that every provider takes, and no two alike.
import { createHash } from 'node:crypto';
import { longestToolName as longestName, toolName } from '#engine/wire/runs/tool-names.ts';

export { toolName };

const markLength = 6;

/**
 * The same tools under their own names, in order: those whose names would be equal (`a.b` and `a_b`) each have a mark behind
 * it, made of what the server calls them. None of them has the plain name, so that permission for one is never permission for another.
 */
export function withOwnNames<T>(
  tools: readonly { server: string; tool: string; of: T }[],
): (T & { name: string })[] {
  const times = new Map<string, number>();
  for (const { server, tool } of tools) {
    const name = toolName(server, tool);
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return tools.map(({ server, tool, of }) => {
    const name = toolName(server, tool);
    if (times.get(name) === 1) return { ...of, name };
    const mark = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, markLength);
    return { ...of, name: `${name.slice(0, longestName - markLength - 1)}_${mark}` };
  });
}
