// Memory as clients see it from above: places as a tree of URIs, each told in three lengths; and files made into memory. Reads and imports.
import { ParleyError } from '#base/errors.ts';
import { fromHome } from '#base/files/files.ts';
import { truncate } from '#base/text.ts';
import { type Agents, partitionNamed } from '#engine/context/agents.ts';
import { operator } from '#engine/context/scope-of.ts';
import type { MemoryNode, MemoryTree } from '#engine/wire/memory/memory-context.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { AudienceNode, OriginKind } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';
import { ownTier } from './put-record.ts';
import { type KnownSessions, refuseUnknownSession } from './session-tier.ts';
import { singleAudienceScope } from './single-audience.ts';

type ClientContext = Pick<
  MemoryService,
  'importMemory' | 'resolveContext' | 'contextTree' | 'generateLayers'
>;

const scheme = 'tandem://';
const roots = { session: 'session', user: 'user', agent: 'agent', resource: 'resources' } as const;
/** Tokens of each layer, of about four characters. */
const layerTokens = { L0: 100, L1: 2_000, L2: 8_000 } as const;
/** Entries that are read for the layers of one place. */
const maxEntries = 400;
/** How many symbolic links an import names. */
const shownLinks = 100;

/** The tree of one audience, and imports into it. */
export function createClientContext({
  memory,
  agents,
  sessions,
}: {
  memory: Pick<Memory, 'importPath' | 'list' | 'nodes'>;
  agents: Pick<Agents, 'at'>;
  sessions: KnownSessions;
}): ClientContext {
  const nodesOf = async (scope: Scope): Promise<MemoryNode[]> => {
    const found = await memory.nodes({ scope });
    const leaves = found.map(nodeOf);
    const tops = Object.entries(roots).map(([kind, name]) => {
      const own = found.filter((node) => node.kind === kind);
      return node(`${scheme}${name}`, {
        parent: null,
        type: 'root',
        from: Math.min(...own.map(({ from }) => from)),
        until: Math.max(...own.map(({ until }) => until)),
        entries: own.reduce((sum, { entries }) => sum + entries, 0),
      });
    });
    return [...tops, ...leaves];
  };
  const resolve = async (uri: string, scope: Scope): Promise<MemoryNode> => {
    const wanted = uri.replace(/\/+$/, '');
    const found = (await nodesOf(scope)).find((each) => each.uri === wanted);
    if (found !== undefined) return found;
    throw new ParleyError('context_not_found', `Nothing of this audience is at ${truncate(uri, 200)}.`, {
      hint: `See the tree of ${scheme}session, user, agent or resources.`,
    });
  };

  return {
    async importMemory(request, { signal } = {}) {
      const { source, format, sync_deletes, allow_empty, audience = operator, space, account } = request;
      const tier = ownTier(request.tier);
      const { project_id = null, session_id = null } = request;
      await refuseUnknownSession(sessions, { tier, sessionID: session_id });
      const report = await memory.importPath({
        path: fromHome(source.path),
        format,
        where: {
          audience,
          space,
          restricted: request.private,
          partition: partitionNamed(agents, request.agent),
        },
        account,
        tier,
        projectID: project_id ?? undefined,
        sessionID: session_id ?? undefined,
        syncDeletes: sync_deletes,
        allowEmpty: allow_empty,
        signal,
      });
      const { stored, unchanged, empty, failed } = report.files;
      return {
        ok: report.complete,
        source,
        format,
        tier,
        project_id,
        session_id,
        sync_deletes,
        discovered_files: report.discovered,
        files_processed: stored + unchanged + empty + failed,
        indexed_files: stored,
        skipped_files: unchanged + empty,
        deleted_files: report.deleted,
        chunks_created: report.chunks.stored,
        errors: failed,
        failures: report.failures.map(({ path, words }) => ({ path, error: words })),
        ...(report.links.length > 0 && {
          skipped_links: report.links.length,
          links: report.links.slice(0, shownLinks),
        }),
        redactions: report.redactions,
      };
    },
    resolveContext: async ({ uri, audience }) => ({
      node: await resolve(uri, singleAudienceScope(audience)),
    }),
    async contextTree({ uri, max_depth: maxDepth, audience }) {
      const scope = singleAudienceScope(audience);
      const nodes = await nodesOf(scope);
      const all = uri === undefined || uri === scheme;
      const tops = all ? nodes.filter(({ parent_uri }) => parent_uri === null) : [await resolve(uri, scope)];
      const grown = (top: MemoryNode, depth: number): MemoryTree => ({
        ...top,
        children:
          depth >= maxDepth
            ? []
            : nodes
                .filter(({ parent_uri }) => parent_uri === top.uri)
                .map((child) => grown(child, depth + 1)),
      });
      return { tree: tops.map((top) => grown(top, 1)) };
    },
    async generateLayers({ node_id: nodeID, audience }) {
      const scope = singleAudienceScope(audience);
      const found = await resolve(uriOf(nodeID), scope);
      const [kind, name] = partsOf(found.uri);
      const entries = await memory.list({
        scope,
        limit: maxEntries,
        within: name === '' ? { kind } : { kind, name },
      });
      const text = entries.map((entry) => entry.text).join('\n\n');
      const layer = (tokens: number) => {
        const content = truncate(text, 4 * tokens);
        return { content, token_count: Math.ceil(content.length / 4) };
      };
      const { L0, L1, L2 } = layerTokens;
      return { ok: true, node: found, layers: { L0: layer(L0), L1: layer(L1), L2: layer(L2) } };
    },
  };
}

interface NodeParts {
  parent: string | null;
  type: MemoryNode['node_type'];
  from: number;
  until: number;
  entries: number;
}

function nodeOf({ kind, name, from, until, entries }: AudienceNode): MemoryNode {
  const parent = `${scheme}${roots[kind]}`;
  return node(`${parent}/${encodeURIComponent(name)}`, { parent, type: kind, from, until, entries });
}

/** The id is the URI itself, so that it holds however the tree grows. */
function node(uri: string, { parent, type, from, until, entries }: NodeParts): MemoryNode {
  return {
    id: `ctx_${Buffer.from(uri).toString('base64url')}`,
    uri,
    parent_uri: parent,
    node_type: type,
    created_at: Number.isFinite(from) ? from : 0,
    updated_at: Number.isFinite(until) ? until : 0,
    metadata: { entries },
  };
}

function uriOf(id: string): string {
  return Buffer.from(id.replace(/^ctx_/, ''), 'base64url').toString('utf8');
}

/** The kind and the name of the place at a URI of the tree; no name for a top of it. */
function partsOf(uri: string): [OriginKind, string] {
  const [root = '', name = ''] = uri.slice(scheme.length).split('/');
  const kind = (Object.keys(roots) as OriginKind[]).find((each) => roots[each] === root) ?? 'session'; // resolved before
  return [kind, decodeURIComponent(name)];
}
