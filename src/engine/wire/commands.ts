// What chat commands ask of the engine beyond talking: sessions, memory, models, tools, sums. Promises only, fulfilled in this process or over HTTP.
import type { MemoryService } from './memory/memory-operations.ts';
import type { ReaderService } from './memory/reader.ts';
import type { ProviderService } from './runs/provider-operations.ts';
import type { ContentService } from './sessions/content-operations.ts';
import type { SessionContext } from './sessions/context.ts';
import type { Page, SessionChange, SessionFilter } from './sessions/filters.ts';
import type { WireSession, WireSessionMessage } from './sessions/message.ts';
import type { SessionSummary, SummaryRequest } from './sessions/summary.ts';
import type { TeamService } from './teams/team-operations.ts';

/** The operations of memory that commands in chats need. */
export const memoryCommands = [
  'activeMemory',
  'searchMemory',
  'putMemory',
  'correctMemory',
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
    Pick<ProviderService, 'providers' | 'usage' | 'abilities'>,
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
}
