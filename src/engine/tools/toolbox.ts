// Which tools there are: the engine's own and those of MCP servers. To add one, add its line here.
import type { Clock } from '#base/clock.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Artifacts } from '#engine/artifacts/artifacts.ts';
import type { MediaCalls } from '#engine/artifacts/media-calls.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import { createArtifactTool } from './artifact.ts';
import { createAskWhichHolds } from './ask-which-holds.ts';
import { type AnyTool, createTools, type Tools } from './definition/registry.ts';
import { createJournalTools } from './journal.ts';
import type { McpServers } from './mcp/servers.ts';
import { createMediaTools } from './media.ts';
import { createMemoryWriteTools } from './memory-create.ts';
import { createMemoryDeleteTool } from './memory-delete.ts';
import { createMemoryFileTools } from './memory-files.ts';
import { createMemoryListTool } from './memory-list.ts';
import { createMemoryReadTools } from './memory-lookup.ts';
import { createMemoryPreflightTool } from './memory-preflight.ts';
import { createMemoryReportTool } from './memory-report.ts';
import { createMemorySearchTool } from './memory-search.ts';
import { createMemoryStoreTool } from './memory-store.ts';
import { createQuestionTool } from './question.ts';
import { createScheduleTool } from './schedule.ts';
import { createTodoTools, type ForeignRuns } from './todo.ts';
import { createWebFetchTool } from './web/fetch.ts';
import { createWebSearchTool } from './web/search.ts';
import type { SearchSettings } from './web/search-web.ts';

/** For one page, redirects included. */
const webLimits = { totalMs: 20_000, bytes: 2 * 1024 * 1024, redirects: 5 };

interface ToolboxOptions {
  rooms: {
    memory: Memory;
    sessions: Sessions;
    requests: Requests;
    artifacts: Artifacts;
    mcp: Pick<McpServers, 'tools'>;
    schedules: Pick<ScheduleService, 'createSchedule' | 'personTimes'>;
  };
  /** Lets models read pages of the web; undefined while they may not. */
  web: () => { privateHosts?: readonly string[] | undefined } | undefined;
  /** The service that searches the web; undefined where there is none. */
  search: () => SearchSettings | undefined;
  /** The tools with which agents start others; none while teams are off. */
  team: () => readonly AnyTool[];
  /** The models that speak and draw, as they are now. */
  media: () => MediaCalls;
  toolChars: number;
  /** Of one file that a run writes. */
  artifactBytes: number;
  foreignRuns?: ForeignRuns | undefined;
  /** Whether the policy lets the caller note a thread: then what contradicts a memory is asked about there. */
  mayAsk: Parameters<typeof createAskWhichHolds>[1];
  /** See `createTools`. */
  outdated?: ReadonlySet<string> | undefined;
  secrets: Secrets;
  clock: Clock;
}

/** The registry; the tools of MCP servers come and go with them. */
export function createToolbox({
  rooms,
  web,
  search,
  team,
  media,
  toolChars,
  artifactBytes,
  foreignRuns = () => undefined,
  mayAsk,
  outdated,
  secrets,
  clock,
}: ToolboxOptions): Tools {
  const { memory, sessions, requests, artifacts, mcp, schedules } = rooms;
  const own = [
    createMemorySearchTool(memory),
    createMemoryStoreTool(memory, clock),
    ...createMemoryWriteTools(memory, clock, createAskWhichHolds(memory, mayAsk)),
    ...createMemoryReadTools(memory, clock),
    createMemoryReportTool(memory),
    ...createMemoryFileTools(memory),
    createMemoryListTool(memory),
    createMemoryPreflightTool(memory),
    createMemoryDeleteTool(memory),
    ...createJournalTools(memory),
    ...createTodoTools(sessions, foreignRuns),
    createQuestionTool(requests),
    createArtifactTool(artifacts, artifactBytes),
    createScheduleTool(schedules),
  ];
  const ofWeb = (allowed = web()) => {
    if (allowed === undefined) return [];
    const rules = { privateHosts: allowed.privateHosts ?? [], limits: webLimits };
    return [createWebFetchTool({ clock, rules })];
  };
  const ofSearch = (settings = search()) =>
    settings === undefined ? [] : [createWebSearchTool({ clock, settings })];
  const ofMedia = () => createMediaTools(media(), { artifacts });
  return createTools(() => [...own, ...ofWeb(), ...ofSearch(), ...ofMedia(), ...team(), ...mcp.tools()], {
    outputChars: toolChars,
    outdated,
    secrets,
    keepCut: (run, { tool, json }) =>
      artifacts.write(run, {
        name: `${tool}.json`,
        mediaType: 'application/json',
        bytes: Buffer.from(json),
        kind: 'cut',
      }),
  });
}
