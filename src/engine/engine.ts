// The engine in this process, and the entry module of its layer. Builds the parts and connects them; each does its own work.
import { dirname, join } from 'node:path';
import { createActiveProblems } from '#base/active-problems.ts';
import { ParleyError } from '#base/errors.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createSecrets } from '#base/secrets.ts';
import { createCheckpoints } from '#base/sqlite/checkpoints.ts';
import { noTracing } from '#base/tracing.ts';
import { createActiveMemory } from './active/active-memory.ts';
import { createArtifactRows } from './artifacts/artifact-rows.ts';
import { createArtifacts } from './artifacts/artifacts.ts';
import { createContextBuilder } from './context/build.ts';
import { createUnderWay } from './context/under-way.ts';
import { openEngineDatabase } from './database.ts';
import type { EngineOptions } from './engine-options.ts';
import { createEventLog } from './events/event-log.ts';
import { guarded } from './guarded.ts';
import { createInsight } from './insight.ts';
import { createKeepingRooms } from './keeping-rooms.ts';
import { createLiveSettings, type Reconfigurable } from './live-settings.ts';
import { createMemoryRooms } from './memory-rooms.ts';
import { mediaCalls } from './providers/media.ts';
import { listProviders } from './providers/model-list.ts';
import { createModelsHere } from './providers/models-here.ts';
import { createTranscriber } from './providers/transcription.ts';
import { createRequestRooms } from './request-rooms.ts';
import { createRequestService } from './request-service.ts';
import { replayRun } from './run-files/replay.ts';
import { keepRunRetention, pruneRuns } from './run-files/retention.ts';
import { createRunFiles } from './run-files/run-files.ts';
import { createAmend, forgetNote } from './runs/amend.ts';
import { createRunArchive } from './runs/archive.ts';
import { createForeignRuns } from './runs/foreign-runs.ts';
import { interruptAll } from './runs/interrupt.ts';
import { createAbilities } from './runs/offered.ts';
import { createPromptRows } from './runs/prompt-rows.ts';
import { createRunRows } from './runs/run-rows.ts';
import type { RunTables } from './runs/run-tables.ts';
import { createRuns } from './runs/runs.ts';
import { createSessionProvider } from './runs/session-provider.ts';
import { createSpeakAnswer } from './runs/spoken-answer.ts';
import { createSummaries } from './runs/summaries.ts';
import { createUsageRows } from './runs/usage-rows.ts';
import { createScheduleRooms } from './schedule-rooms.ts';
import { createSessionService } from './session-service.ts';
import { createConversationRows, createSessions } from './sessions/sessions.ts';
import { createTeamRooms } from './team-rooms.ts';
import { openMcpServers } from './tools/mcp/open.ts';
import { createToolbox } from './tools/toolbox.ts';
import type { Prunable } from './wire/prunable.ts';
import type { StandingSchedules } from './wire/schedule-standing.ts';
import type { EngineService } from './wire/service.ts';
import type { StandingTeams } from './wire/team-standing.ts';
import { uploadUrl } from './wire/upload-url.ts';

export type { EngineOptions } from './engine-options.ts';

/**
 * Opens the engine. Runs of a process that died are interrupted and delivered exchanges archived before it resolves.
 * Throws a ParleyError `model_settings` when the model cannot be reached as configured, and as `openSqlite` does.
 * One engine at a time may have the file. Closing the engine leaves `memory` open: it is the caller's.
 */
export async function createEngine(
  options: EngineOptions,
): Promise<EngineService & Reconfigurable & Prunable & StandingSchedules & StandingTeams> {
  const { clock, newId, log, memory, version = 'unknown', secrets = createSecrets([]) } = options;
  const { models = createModelsHere(clock) } = options;
  const settings = createLiveSettings(options, { models, clock });
  const { limits, agents, providers, policy } = settings;
  const { path, home = dirname(options.path), readUpload, problems = createActiveProblems(clock) } = options;
  const database = openEngineDatabase(path, clock);
  const checkpoints = createCheckpoints(database);
  const storage = createDiskFailureHandler({ path, problems, clock, log, written: checkpoints.written });
  const events = createEventLog({
    database,
    storage,
    newId,
    clock,
    capacity: limits.subscriberEvents,
    noticed(event) {
      runFiles.noticed(event);
      underWay.noticed(event);
    },
  });
  const runFiles = createRunFiles({ home, events, newId, clock, problems, log });
  const conversation = createConversationRows(database);
  const requestParts = { database, events, policy, limits, clock, newId };
  const { requestRows, requests, permissions } = createRequestRooms(requestParts);
  const missions = createTeamRooms({
    ...{ database, events, settings, limits, requests, permissions, secrets, clock, newId, log },
    later: () => ({ tools, tables, runs }),
  });
  const tables: RunTables = {
    runs: createRunRows(database),
    ...{ usage: createUsageRows(database), prompts: createPromptRows(database) },
    ...{ requests, conversation, events, clock, newId },
    observer: missions.observer,
  };
  const sessions = createSessions({ rows: conversation, events, modelOf: providers.resolve, clock, newId });
  const sharing = () => settings.now().sharing;
  const underWay = createUnderWay(tables);
  const watched = underWay.watched(memory);
  const calls = { clock, log, limits, secrets, problems };
  const activeMemory = createActiveMemory({
    ...{ memory: watched, providers, agents, calls },
    settings: options.memorySettings?.active,
  });
  const reading = { memory: watched, sharing, limits, readUpload, clock, log };
  const context = createContextBuilder({
    ...{ sessions, ...reading, foreignRuns: createForeignRuns(tables.runs, agents) },
  });
  const artifacts = createArtifacts({
    ...{ home, rows: createArtifactRows(database), events, clock, newId, secrets },
    limits: { fileBytes: limits.artifactBytes, filesPerRun: limits.artifactsPerRun },
  });
  const schedules = createScheduleRooms({ database, events, limits, secrets, clock, newId, log });
  const mcp = await openMcpServers({
    ...{ servers: options.mcp ?? {}, named: () => settings.now().namedTools ?? [] },
    ...{ version, clock, log, problems },
  });
  const media = () => mediaCalls(settings.now().media ?? {}, clock);
  const tools = createToolbox({
    rooms: { memory: watched, sessions, requests, artifacts, mcp, schedules: schedules.service },
    web: () => settings.now().web,
    team: missions.tools,
    media,
    toolChars: limits.toolChars,
    artifactBytes: limits.artifactBytes,
    secrets,
    clock,
  });
  const archive = createRunArchive({ tables, memory, agents, log });
  const { amend, forgetTurns } = createAmend({ tables, sessions, memory, archive });
  const providerOf = createSessionProvider(providers, tables.runs);
  const memoryRooms = createMemoryRooms({
    database,
    ...{ memory, sharing },
    settings: options.memorySettings ?? {},
    tables,
    sessions,
    agents,
    providerOf,
    provider: () => providers.resolve(),
    calls,
  });
  const { service: memoryService, keptAnswers, autoDistill, flush, dreams, budgets } = memoryRooms;
  const summaries = createSummaries({ tables, sessions, providerOf, calls, limits, flush, clock, log });
  const runs = createRuns({
    tables,
    storage,
    parts: {
      ...{ sessions, context, tools, permissions, calls, keptAnswers, activeMemory },
      speakAnswer: createSpeakAnswer({ media, artifacts }),
    },
    sent: summaries.afterRun,
    providers,
    artifacts,
    limits,
    agents,
    instances: missions.instances,
    tracing: options.tracing ?? noTracing,
    clock,
    log,
  });
  const { active: _a, unfinished: _u, revive: _r, close: _c, prompt: _p, ...ofRuns } = runs;
  const { branches, masking, said } = createKeepingRooms({
    ...{ database, home, memory, secrets, tables, sessions, requestRows },
    ...{ artifacts, runFiles, keptAnswers, stop: runs.cancel, team: missions.team },
    ...{ mask: options.mask, log },
    schedules: { ...schedules.saved, ...schedules.service },
  });
  const retention = { days: limits.keptRunDays, count: limits.keptRuns, clock, log };

  try {
    const lost = interruptAll(tables);
    if (lost > 0) log.warn({ runs: lost }, 'runs of an earlier process were interrupted');
    requests.resume();
    await missions.ready();
    await archive.resume();
    await keptAnswers.prune();
    await pruneRuns(home, retention);
    schedules.start();
  } catch (error) {
    await Promise.all([mcp.close(), autoDistill.close(), dreams.close(), budgets.close()]);
    requests.close();
    database.close();
    throw storage.explain(error) ?? error;
  }
  const ending = new AbortController();
  const saved = keepRunRetention(home, retention, ending.signal);
  masking.start();
  await missions.resume();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await runs.close();
    await summaries.close();
    await Promise.all([autoDistill.close(), dreams.close(), budgets.close()]);
    await archive.settled();
    await masking.close();
    await mcp.close();
    requests.close();
    schedules.close();
    ending.abort();
    await saved;
    await runFiles.settled();
    events.close();
    database.close();
    await checkpoints.settled();
  };
  const refuseClosed = (): void => {
    if (closing !== undefined) throw new ParleyError('engine_closed', 'The engine is closed.');
  };
  /** Work while the engine is open; what the disk refuses is logged. */
  const open = async <T>(work: () => T | Promise<T>): Promise<T> => {
    refuseClosed();
    try {
      return await work();
    } catch (error) {
      throw storage.explain(error) ?? error;
    }
  };

  return {
    ...guarded(createRequestService({ requests, permissions, revive: runs.revive }), open),
    ...guarded(schedules.service, open),
    ...guarded(memoryService, open),
    ...guarded(said, open),
    ...guarded(branches, open),
    ...guarded(missions.service, open),
    ...guarded(ofRuns, open),
    ...guarded(createInsight({ database, tables, sessions, memory }), open),
    activeMemory: (at) => open(() => activeMemory.activeMemory(at)),
    ...guarded(createAbilities({ tools, permissions }, agents), open),
    pruneEvents: (before, signal) => open(() => events.prune(before, signal)),
    pruneSchedules: (before) => open(() => schedules.prune(before)),
    scheduleStanding: () => open(() => schedules.standing()),
    teamStanding: () => open(() => missions.standing()),
    countEvents: () => open(() => events.count()),
    ...guarded(createSessionService(sessions, summaries), open),
    prompt: (sessionID, body, how) =>
      open(() => runs.prompt(sessionID, { ...body, parts: secrets.maskAll(body.parts) }, how)),
    takesFile: (file) => open(() => providers.resolve().takesFile(file)),
    keepUpload: async ({ path: inFolder }) => uploadUrl(inFolder),
    ...guarded({ transcribe: createTranscriber(options.transcription, { readUpload, clock, log }) }, open),
    artifactFile: async ({ path: inHome }) => join(home, inHome),
    runEvents: (runID, range) => open(() => events.page({ runID }, range)),
    toolsReady: () => open(() => mcp.tried),
    openArtifact: (id) => open(() => artifacts.open(id)),
    replayRun: (runID, how) =>
      open(async () => {
        if (tables.runs.get(runID) !== undefined) await runFiles.caughtUp(runID);
        return replayRun(home, runID, how);
      }),
    providers: () =>
      open(() => {
        const { model, fallbacks = [] } = settings.now();
        return listProviders([model, ...fallbacks], clock);
      }),
    usage: (filter) => open(() => tables.usage.sums(filter)),
    delivered: (delivery) => open(() => archive.delivered(delivery).then(masking.nudge)),
    amend: (runID, amendment) => open(() => amend(runID, secrets.maskAll(amendment))),
    setRooms: (rooms) => open(() => memory.setRooms(rooms)),
    forgetTurns: (turns) => open(() => forgetTurns(turns)),
    forgetNote: ({ memoryID, audience }) => open(() => forgetNote(memory, memoryID, audience)),
    events({ unfinished, ...filter }, signal) {
      refuseClosed();
      return events.subscribe({ ...filter, first: unfinished && runs.unfinished() }, signal);
    },
    async health() {
      const { providerID, modelID } = providers.resolve();
      const model = `${providerID}/${modelID}`;
      return { ready: closing === undefined, version, model, activeRuns: runs.active() };
    },
    prepare: settings.prepare,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
