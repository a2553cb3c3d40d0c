// What chat commands ask of the engine beyond talking: sessions, memory, models, tools, sums. Promises only, fulfilled in this process or over HTTP.
import type { MemoryService } from './memory/memory-operations.ts';
import type { ReaderService } from './memory/reader.ts';
import type { ProviderService } from './runs/provider-operations.ts';
import type { ContentService } from './sessions/content-operations.ts';
import type { WireSessionMessage } from './sessions/message.ts';
import type { SessionService } from './sessions/session-operations.ts';
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

/** The operations of sessions that they need, beside lists. */
export const sessionCommands = [
  'updateSession',
  'revertSession',
  'summarizeSession',
  'sessionContext',
] as const satisfies readonly (keyof SessionService)[];

export interface EngineCommands
  extends ContentService,
    Pick<ProviderService, 'providers' | 'usage' | 'abilities'>,
    Pick<TeamService, 'missions' | 'cancelMission'>,
    ReaderService,
    Pick<SessionService, 'findSessions' | (typeof sessionCommands)[number]>,
    Pick<MemoryService, (typeof memoryCommands)[number]> {
  /** Those that no revert set aside, oldest first. */
  messages(sessionID: string): Promise<WireSessionMessage[]>;
}
