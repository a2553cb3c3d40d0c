// What clients read by address: the bundle of an agent, and one memory. Pure.
import { decodedPart } from '#base/text.ts';

export const resourceTemplates = [
  {
    name: 'bundle',
    title: 'Memory bundle of an agent',
    uriTemplate: 'parley://bundle/{agent}',
    description:
      'Everything that the agent needs to start work, as get_memory_bundle gives it; with a name that only a project has, that of the project.',
    mimeType: 'application/json',
  },
  {
    name: 'bundle of a project',
    title: 'Memory bundle of a project',
    uriTemplate: 'parley://project/{project}',
    description:
      'Everything that is open, decided and known in the project, also where an agent has its name.',
    mimeType: 'application/json',
  },
  {
    name: 'project bundle',
    title: 'Memory bundle of an agent in a project',
    uriTemplate: 'parley://bundle/{project}/{agent}',
    description: 'Everything that the agent needs to start work in the project.',
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

/** The URI of a memory bundle: `parley://bundle/AGENT`, `parley://project/PROJECT` or `parley://bundle/PROJECT/AGENT`. */
export function bundleAddress(agent: string | undefined, project?: string | undefined): string {
  if (agent === undefined && project !== undefined) return `parley://project/${encodeURIComponent(project)}`;
  const names = [project, agent].flatMap((name) => (name === undefined ? [] : [encodeURIComponent(name)]));
  return `parley://bundle/${names.join('/')}`;
}

/** What a resource URI names; undefined for a URI of another form. */
export function namedAt(uri: string): { kind: Kind; names: readonly string[] } | undefined {
  const [, kind, path = ''] = /^parley:\/\/(bundle|project|memory)\/([^?#]+)$/.exec(uri) ?? [];
  const names = path.split('/').map(decodedPart);
  const isWhole = names.every((name) => name !== undefined && name !== '');
  if (kind === undefined || !isWhole || names.length > (kind === 'bundle' ? 2 : 1)) return undefined;
  return { kind: kind as Kind, names: names as string[] }; // one of the words of the pattern, and whole
}

type Kind = 'bundle' | 'project' | 'memory';

/**
 * The arguments of get_memory_bundle for these names. A single one is an agent's where it is the token's agent or one that the journal
 * knows, else a project's, if the journal knows that: of both with one name it is the agent's, and `parley://project/NAME` the project's.
 */
export function bundleArguments(
  [first = '', second]: readonly string[],
  own: string | undefined,
  places: readonly { projectID: string | null; agentID: string }[],
): Record<string, string> {
  const alike = (name: string | null | undefined): boolean => name?.toLowerCase() === first.toLowerCase();
  if (second !== undefined) return { project_id: first, agent_id: second };
  if (alike(own) || places.some(({ agentID }) => alike(agentID))) return { agent_id: first };
  const project = places.find(({ projectID }) => alike(projectID))?.projectID;
  return project == null ? { agent_id: first } : { project_id: project };
}
