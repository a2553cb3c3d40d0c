// Which names of tools a config may use: the engine's own tools, and those that its MCP servers may offer.
import { memoize } from '#base/caches/memoize.ts';
import { nearestName } from '#base/nearest.ts';

/** What every provider takes. */
export const longestToolName = 64;

/** `mcp_server_tool`, of letters that every provider takes. */
export function toolName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longestToolName);
}

/** True when the pattern names the tool. */
export function matchesTool(pattern: string, tool: string): boolean {
  return pattern.includes('*') ? expressionOf(pattern).test(tool) : pattern === tool;
}

/** Each turn compares some forty tools with the same few patterns. */
const expressionOf = memoize(200, (pattern) => {
  const source = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 's');
});

/** The engine's own tools, as the toolbox has them. */
export const ownTools = [
  'memory_search',
  'memory_store',
  'memory_get',
  'memory_create',
  'memory_read',
  'memory_update',
  'memory_lookup',
  'memory_report',
  'memory_note',
  'memory_edit',
  'memory_list',
  'memory_preflight',
  'memory_delete',
  'add_session_element',
  'record_lesson',
  'list_journal_entries',
  'settle_journal_entry',
  'todo_write',
  'todo_read',
  'question',
  'artifact',
  'web_fetch',
  'web_search',
  'spawn_agent',
  'wait_agents',
  'agent_result',
  'cancel_agent',
  'skill_file',
  'schedule',
  'speak',
  'image',
] as const;

/** Operations of the journal by the names of their tools, which are those over MCP too: `tools.policy` names them. */
export const journalToolNames = {
  bundle: 'get_memory_bundle',
  closeSession: 'close_session',
  noteElement: 'add_session_element',
  updateElement: 'update_session_element',
  listElements: 'list_session_elements',
  listSessions: 'list_sessions',
  listEntries: 'list_journal_entries',
  settleEntry: 'settle_journal_entry',
  listProjects: 'list_projects',
  listAgents: 'list_agents',
  searchSessions: 'search_sessions',
  getSession: 'get_session',
  recordLesson: 'record_lesson',
  deprecateLesson: 'deprecate_lesson',
  getLessons: 'get_lessons',
  recordTouchstone: 'record_touchstone',
  linkTouchstone: 'link_touchstone',
  getTouchstones: 'get_touchstones',
  createConversation: 'create_conversation',
  addConversationEntry: 'add_conversation_entry',
  getConversation: 'get_conversation',
  searchConversations: 'search_conversations',
  putBuild: 'put_build',
  getBuild: 'get_build',
  putT4Entry: 'put_t4_entry',
  getT4Entry: 'get_t4_entry',
  searchT4: 'search_t4',
  forget: 'forget_journal_entries',
} as const;

/** An operation of a reader as models and policies know it: `memorySearch` is the tool `memory_search`. */
export function readerToolName(operation: string): string {
  const names: Readonly<Record<string, string>> = journalToolNames;
  return names[operation] ?? operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The tools over MCP that a policy may name although no run has them. */
const servedTools = [...Object.values(journalToolNames), 'memory_forget', 'memory_verify', 'memory_feedback'];

/** Tools that an agent without write access to memory does not have. */
export const memoryWriters: ReadonlySet<string> = new Set([
  'memory_store',
  'memory_create',
  'memory_update',
  'memory_report',
  'memory_note',
  'memory_edit',
  'memory_delete',
  'add_session_element',
  'record_lesson',
  'settle_journal_entry',
]);

/** The tools with which an agent works with others. */
export const teamTools = ['spawn_agent', 'wait_agents', 'agent_result', 'cancel_agent'] as const;
/** The tool with which an agent reads the files of its skills. */
export const skillTool = 'skill_file';

/**
 * What is wrong with a name, or a pattern with `*`, of a tool, as text; undefined for one of the engine's own, and for one that a
 * configured MCP server may offer: that is known once it is connected.
 */
export function wrongToolName(named: string, servers: readonly string[]): string | undefined {
  if ([...ownTools, ...servedTools].some((tool) => matchesTool(named, tool))) return undefined;
  const prefixes = servers.map((server) => toolName(server, ''));
  const [start = ''] = named.split('*');
  const isPattern = start !== named;
  const mayBeForeign = prefixes.some(
    (prefix) => start.startsWith(prefix) || (isPattern && prefix.startsWith(start)),
  );
  if (mayBeForeign || (isPattern && 'mcp_'.startsWith(start) && start !== '') || named === 'mcp_*')
    return undefined;
  const nearest = nearestName(named, [...ownTools, ...servedTools, ...prefixes]);
  const what = isPattern ? 'fits no tool' : 'is not a tool';
  return nearest === undefined
    ? `"${named}" ${what}; there are ${ownTools.join(', ')}, and mcp_SERVER_TOOL for each configured MCP server`
    : `"${named}" ${what}; the nearest is "${nearest}"`;
}

/** Of these names, those of the server that fit none of the tools that it offers, each with the nearest one. */
export function unofferedTools(
  named: readonly string[],
  { server, offered }: { server: string; offered: readonly string[] },
): { name: string; nearest: string | undefined }[] {
  const prefix = toolName(server, '');
  return [...new Set(named)]
    .filter((name) => name.startsWith(prefix) && !offered.some((tool) => matchesTool(name, tool)))
    .map((name) => ({ name, nearest: nearestName(name, offered) }));
}

/** What can be done about a tool that is named and not offered. */
export const unofferedHint =
  'Correct the name in `tools.policy`, in the `tools` of an agent or of a channel: as it stands, it holds for no tool.';
