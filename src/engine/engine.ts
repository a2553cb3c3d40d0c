// The engine in this process: the door of the storey. Puts the rooms together; each does its own work.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { type Migration, openSqlite } from '#base/sqlite.ts';
import { createStorage } from '#base/storage.ts';
import { createTroubles, type Troubles } from '#base/troubles.ts';
import type { Memory } from '#memory/terms/contract.ts';
import type { Sharing } from '#memory/terms/scope.ts';
import type { ReadUpload } from './context/attachments.ts';
import { createContextBuilder } from './context/build.ts';
import type { Agent } from './context/system-prompt.ts';
import { createEventLog } from './events/event-log.ts';
import { eventSchema } from './events/event-store.ts';
import { createProviders } from './providers/provider.ts';
import type { ModelSettings } from './providers/settings.ts';
import { createArchive } from './runs/archive.ts';
import { createBranches } from './runs/branches.ts';
import { interruptAll } from './runs/interrupt.ts';
import { createRunRows, runModelSchema, runSchema } from './runs/run-rows.ts';
import type { RunTables } from './runs/run-tables.ts';
import { createRuns } from './runs/runs.ts';
import { createUsageRows, usageSchema } from './runs/usage-rows.ts';
import {
  branchSchema,
  conversationSchema,
  createConversationRows,
  createSessions,
} from './sessions/sessions.ts';
import { createMemorySearchTool } from './tools/memory-search.ts';
import { createTools } from './tools/registry.ts';
import type { EngineService } from './wire/service.ts';

/** Every bound of the engine, with what it bounds. */
export interface EngineLimits {
  /** Until a provider accepts a request. */
  connectMs: number;
  /** Until the first piece of an answer. */
  firstTokenMs: number;
  /** Between two pieces of an answer. */
  idleMs: number;
  /** For a whole run, tools included. */
  totalMs: number;
  /** Characters of a conversation that are sent to a model. */
  historyChars: number;
  /** Messages of a conversation that are sent to a model. */
  historyMessages: number;
  /** Characters of one answer, reasoning included. */
  outputChars: number;
  /** Characters of one tool result. */
  toolChars: number;
  /** Events that are kept for a reader who is behind. */
  subscriberEvents: number;
}

/** Times, history and buffer as Tandem has them; the others stop what has run away. */
const defaultLimits: EngineLimits = {
  connectMs: 30_000,
  firstTokenMs: 90_000,
  idleMs: 90_000,
  totalMs: 600_000,
  historyChars: 80_000,
  historyMessages: 40,
  outputChars: 200_000,
  toolChars: 40_000,
  subscriberEvents: 2_048,
};

export interface EngineOptions {
  /** The engine's own database, `engine.sqlite`. */
  path: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  memory: Memory;
  sharing: Sharing;
  model: ModelSettings;
  agent: Agent;
  /** What `health` tells. */
  version?: string | undefined;
  limits?: Partial<EngineLimits> | undefined;
  /** Reads a file of the uploads folder by its path there; without it such files are only mentioned to the model. */
  readUpload?: ReadUpload | undefined;
  /** Where a disk that refuses is noted; a board of its own by default. */
  troubles?: Troubles | undefined;
}

/** In order, never edited once shipped: a change of a table is a new entry. */
const migrations: readonly Migration[] = [
  { name: 'events', up: eventSchema },
  { name: 'conversations', up: conversationSchema },
  { name: 'runs', up: runSchema },
  { name: 'branches and usage', up: branchSchema + runModelSchema + usageSchema },
];

/**
 * Opens the engine. Runs of a process that died are interrupted and delivered exchanges archived before it resolves.
 * Throws a ParleyError `model_settings` when the model cannot be reached as configured, and as `openSqlite` does.
 * One engine at a time may have the file. Closing the engine leaves `memory` open: it is the caller's.
 */
export async function createEngine(options: EngineOptions): Promise<EngineService> {
  const { clock, newId, log, memory, sharing, agent, version = 'unknown' } = options;
  const limits: EngineLimits = { ...defaultLimits, ...defined(options.limits ?? {}) };
  const providers = createProviders({ settings: options.model, clock, connectMs: limits.connectMs });
  const { path, readUpload, troubles = createTroubles(clock) } = options;
  const database = openSqlite({ path, migrations, clock });
  const storage = createStorage({ path, troubles, clock, log });
  const events = createEventLog({ database, storage, newId, clock, capacity: limits.subscriberEvents });
  const conversation = createConversationRows(database);
  const tables: RunTables = {
    runs: createRunRows(database),
    usage: createUsageRows(database),
    conversation,
    events,
    clock,
    newId,
  };
  const sessions = createSessions({ rows: conversation, events, clock, newId });
  const context = createContextBuilder({ sessions, memory, sharing, agent, limits, readUpload, clock, log });
  const tools = createTools([createMemorySearchTool(memory)], limits.toolChars);
  const archive = createArchive({ tables, memory, log });
  const runs = createRuns({
    tables,
    storage,
    parts: { sessions, context, tools, calls: { clock, log, limits } },
    providers,
    limits,
    agentName: agent.name,
    clock,
    log,
  });

  const branches = createBranches(tables, runs.cancel);

  try {
    const lost = interruptAll(tables);
    if (lost > 0) log.warn({ runs: lost }, 'runs of an earlier process were interrupted');
    await archive.resume();
  } catch (error) {
    database.close();
    throw storage.explain(error) ?? error;
  }
  const { providerID, modelID } = providers.resolve();

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await runs.close();
    await archive.settled();
    events.close();
    database.close();
  };
  const refuseClosed = (): void => {
    if (closing !== undefined) throw new ParleyError('engine_closed', 'The engine is closed.');
  };
  /** Work while the engine is open; what the disk refuses is said in words. */
  const open = async <T>(work: () => T | Promise<T>): Promise<T> => {
    refuseClosed();
    try {
      return await work();
    } catch (error) {
      throw storage.explain(error) ?? error;
    }
  };

  return {
    createSession: (input, how) => open(() => sessions.create(input, how)),
    listSessions: (page) => open(async () => (await sessions.find({}, page)).sessions),
    findSessions: (filter, page) => open(() => sessions.find(filter, page)),
    updateSession: (sessionID, change) => open(() => sessions.update(sessionID, change)),
    deleteSession: (sessionID) => open(() => branches.deleteSession(sessionID)),
    forkSession: (sessionID, how) => open(() => branches.forkSession(sessionID, how)),
    revertSession: (sessionID, messageID) => open(() => branches.revertSession(sessionID, messageID)),
    unrevertSession: (sessionID) => open(() => branches.unrevertSession(sessionID)),
    todos: (sessionID) => open(() => sessions.todos(sessionID)),
    setTodos: (sessionID, todos) => open(() => sessions.setTodos(sessionID, todos)),
    getSession: (sessionID) => open(() => sessions.get(sessionID)),
    hasSession: (sessionID) => open(() => sessions.has(sessionID)),
    messages: (sessionID) => open(() => sessions.messages(sessionID, 'standing')),
    allMessages: (sessionID) => open(() => sessions.messages(sessionID, 'all')),
    prompt: (sessionID, body, how) => open(() => runs.prompt(sessionID, body, how)),
    takesFile: (file) => open(() => providers.resolve().takesFile(file)),
    getRun: (runID) => open(() => runs.getRun(runID)),
    findRun: (key) => open(() => runs.findRun(key)),
    listRuns: (filter, page) => open(() => runs.listRuns(filter, page)),
    activeRuns: () => open(() => runs.activeRuns()),
    cancelRun: (runID) => open(() => runs.cancelRun(runID)),
    runMessages: (runID) => open(() => runs.runMessages(runID)),
    runEvents: (runID, range) => open(() => events.page({ runID }, range)),
    usage: (filter) => open(() => tables.usage.sums(filter)),
    finished: (runID, signal) => open(() => runs.finished(runID, signal)),
    cancel: (sessionID) => open(() => runs.cancel(sessionID)),
    delivered: (delivery) => open(() => archive.delivered(delivery)),
    events(filter, signal) {
      refuseClosed();
      return events.subscribe(filter, signal);
    },
    health: async () => ({
      ready: closing === undefined,
      version,
      model: `${providerID}/${modelID}`,
      activeRuns: runs.active(),
    }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
