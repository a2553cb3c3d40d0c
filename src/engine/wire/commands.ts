// What chat commands ask of the engine beyond talking: sessions, memory, models, tools, sums. Promises only, fulfilled in this process or over HTTP.
import { z } from 'zod';
import type { MemoryService } from './memory/memory-operations.ts';
import type { ReaderService } from './memory/reader.ts';
import type { ProviderList } from './runs/provider.ts';
import type { UsageSum } from './runs/usage.ts';
import type { ContentService } from './sessions/content.ts';
import type { SessionContext } from './sessions/context.ts';
import type { Page, SessionChange, SessionFilter, UsageFilter } from './sessions/filters.ts';
import type { WireSession, WireSessionMessage } from './sessions/message.ts';
import type { SessionSummary, SummaryRequest } from './sessions/summary.ts';
import type { TeamService } from './teams/team.ts';

/** Where something is asked and of which agent, as far as tools go by it. */
export const abilitiesQuery = z.object({
  platform: z.string().min(1).max(40).optional(),
  /** Another agent than the one that answers where none is named. */
  agent: z.string().min(1).max(80).optional(),
});
export type AbilitiesQuery = z.infer<typeof abilitiesQuery>;

/** Who answers, and with what. */
export const abilities = z.object({
  /** The agent that is named, or the first. */
  agent: z.string(),
  /** All that are configured, the first one first. */
  agents: z.array(z.object({ name: z.string(), model: z.string().optional() })),
  /** What it may use there. */
  tools: z.array(z.object({ name: z.string(), description: z.string(), verdict: z.enum(['allow', 'ask']) })),
});
export type Abilities = z.infer<typeof abilities>;

/** The operations of memory that commands in chats need. */
export const memoryCommands = [
  'activeMemory',
  'searchMemory',
  'putMemory',
  'listMemory',
  'memoryBudgets',
  'signalMemory',
  'pinMemory',
  'deleteMemory',
  'forgetMemory',
  'listMemoryFiles',
  'readMemoryFile',
  'noteMemoryFile',
] as const satisfies readonly (keyof MemoryService)[];

export interface EngineCommands
  extends ContentService,
    Pick<TeamService, 'missions' | 'cancelMission'>,
    ReaderService,
    Pick<MemoryService, (typeof memoryCommands)[number]> {
  /** Newest first, without their messages; `total` counts all that fit the filter. */
  findSessions(filter: SessionFilter, page: Page): Promise<{ sessions: WireSession[]; total: number }>;
  updateSession(sessionID: string, change: SessionChange): Promise<WireSession>;
  messages(sessionID: string): Promise<WireSessionMessage[]>;
  /**
   * Sets the message and all after it aside. A snapshot of what was written is stored: `unrevertSession` goes back to it, and
   * sets aside what was written since. A ParleyError `session_busy` while a run is active.
   */
  revertSession(sessionID: string, messageID: string): Promise<WireSession>;
  /**
   * A summary of all but the newest exchange, which later prompts have in their place; the present one when there is nothing new. `keep`
   * says what is to be in it above all. A ParleyError `nothing_to_summarize`, or `summary_failed` when the model gave none.
   */
  summarizeSession(sessionID: string, how?: SummaryRequest): Promise<SessionSummary>;
  /** What the newest prompt of the session held; a ParleyError `session_not_found`, or `prompt_not_found` before there is one. */
  sessionContext(sessionID: string): Promise<SessionContext>;
  /** The configured providers with the models that they name, of this agent where it has its own. */
  providers(of?: Pick<AbilitiesQuery, 'agent'>): Promise<ProviderList>;
  /** Tokens and money, newest day (or session) first. */
  usage(filter: UsageFilter): Promise<UsageSum[]>;
  /** Who answers there and with what; a ParleyError `unknown_agent` for an agent that is not configured. */
  abilities(at: AbilitiesQuery): Promise<Abilities>;
}
