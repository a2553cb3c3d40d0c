// What clients read by address: the bundle of an agent, and one memory.
import type { ReaderOperation } from '#engine/wire/memory/reader.ts';

export const resourceTemplates = [
  {
    name: 'bundle',
    title: 'Memory bundle of an agent',
    uriTemplate: 'parley://bundle/{agent}',
    description: 'Everything that the agent needs to start work, as get_memory_bundle gives it.',
    mimeType: 'application/json',
  },
  {
    name: 'memory',
    title: 'One memory',
    uriTemplate: 'parley://memory/{id}',
    description: 'One memory by its id, as memory_read gives it.',
    mimeType: 'application/json',
  },
];

/** The resources of `resources/list`: the memory bundle of the token's agent. */
export function knownResources(agent: string | undefined) {
  if (agent === undefined) return [];
  const [{ title, description, mimeType }] = resourceTemplates as [(typeof resourceTemplates)[number]];
  return [{ name: `bundle of ${agent}`, title, description, mimeType, uri: bundleAddress(agent) }];
}

/** The URI of an agent's memory bundle: `parley://bundle/NAME`. */
export function bundleAddress(agent: string): string {
  return `parley://bundle/${encodeURIComponent(agent)}`;
}

/** The operation that a resource URI means; undefined for a URI of another form. */
export function operationAt(
  uri: string,
): { operation: ReaderOperation; tool: string; args: Record<string, string> } | undefined {
  const [, kind, encoded = ''] = /^parley:\/\/(bundle|memory)\/([^/?#]+)$/.exec(uri) ?? [];
  const name = decoded(encoded);
  if (kind === undefined || name === undefined) return undefined;
  return kind === 'bundle'
    ? { operation: 'bundle', tool: 'get_memory_bundle', args: { agent_id: name } }
    : { operation: 'memoryRead', tool: 'memory_read', args: { id: name } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
