// The engine in this process, and the entry module of its layer: one service over the parts of engine-parts.ts.

import { join } from 'node:path';
import { ParleyError } from '#base/errors.ts';
import { forgetNote } from './conversations/amend.ts';
import { noteFeedback } from './conversations/note-feedback.ts';
import { createSessionWrites } from './conversations/session-writes.ts';
import type { EngineOptions } from './engine-options.ts';
import { createEngineParts } from './engine-parts.ts';
import type { EventLog } from './events/event-log.ts';
import { guarded } from './guarded.ts';
import { createInsight } from './insight.ts';
import { startEngineParts } from './lifecycle.ts';
import type { Reconfigurable } from './live-settings.ts';
import { listProviders } from './providers/model-list.ts';
import { createTranscriber } from './providers/transcription.ts';
import { createRequestService } from './request-service.ts';
import { createAbilities } from './runs/offered.ts';
import { createSessionService } from './session-service.ts';
import { createSetClosedRooms } from './sessions/closed-rooms.ts';
import type { PlaceNameTable } from './sessions/place-names.ts';
import type { Prunable } from './wire/operator/prunable.ts';
import { uploadUrl } from './wire/runs/upload-url.ts';
import type { StandingSchedules } from './wire/schedules/schedule-standing.ts';
import type { EngineService } from './wire/service.ts';
import type { PlaceService } from './wire/sessions/content-operations.ts';
import type { StandingTeams } from './wire/teams/team-standing.ts';

export type { FeedbackWebhook } from './conversations/feedback-calls.ts';
export type { EngineOptions } from './engine-options.ts';

/**
 * Opens the engine. Runs of a process that died are interrupted and delivered exchanges archived before it resolves.
 * Throws a ParleyError `model_settings` when the model cannot be reached as configured, and as `openSqlite` does.
 * One engine at a time may have the file. Closing the engine leaves `memory` open: it is the caller's.
 */
export async function createEngine(
  options: EngineOptions,
): Promise<EngineService & Reconfigurable & Prunable & StandingSchedules & StandingTeams> {
  const { clock, log, memory, readUpload, transcription, resumes = true } = options;
  // what the settings lack is refused before anything starts
  const transcribe = createTranscriber(transcription, { readUpload, clock, log });
  const parts = await createEngineParts(options);
  const { settings, storage, database, home, events, runFiles, tables, requests, permissions } = parts;
  const { sessions, schedules, missions, mcp, tools, artifacts, activeMemory, archive, summaries } = parts;
  const { placeNames, memoryParts, branches, masking, content, secrets, version, runs, learned } = parts;
  const { active: _a, unfinished: _u, revive: _r, close: _c, prompt: _p, ...ofRuns } = runs;
  const { agents, providers } = settings;
  // where no model answers a reply waits for the next start, which resumes the run
  const revive = resumes ? runs.revive : async (runID: string) => runID;
  const sessionService = createSessionService({
    ...{ sessions, summaries, endMemory: memory.endSession },
    endArchived: options.memorySettings?.endArchived,
  });
  const setClosedRooms = createSetClosedRooms(database);
  const end = await startEngineParts(parts, { clock, log, resumes });
  let closing: Promise<void> | undefined;
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
    ...guarded(createRequestService({ requests, permissions, revive }), open),
    ...guarded(schedules.service, open),
    ...guarded(memoryParts.service, open),
    ...guarded(content, open),
    ...guarded(branches, open),
    ...guarded(missions.service, open),
    ...guarded(ofRuns, open),
    ...guarded(
      createInsight({
        database,
        home,
        tables,
        memory,
        runFiles,
        sectionsOfRun: parts.sectionsOfRun,
        placeNames,
      }),
      open,
    ),
    activeMemory: (at) => open(() => activeMemory.activeMemory(at)),
    ...guarded(createAbilities({ tools, permissions }, agents), open),
    pruneEvents: (before, signal) => open(() => events.prune(before, signal)),
    pruneSchedules: (before) => open(() => schedules.prune(before)),
    scheduleStanding: () => open(() => schedules.standing()),
    teamStanding: () => open(() => missions.standing()),
    countEvents: () => open(() => events.count()),
    ...guarded(parts.sessionContext, open),
    ...guarded(sessionService, open),
    ...guarded(createSessionWrites(tables, { written: sessions.written, secrets }), open),
    prompt: (sessionID, body, how) =>
      open(() => runs.prompt(sessionID, { ...body, parts: secrets.maskAll(body.parts) }, how)),
    takesFile: ({ agent, ...file }) => open(() => providers.resolve(undefined, agent).takesFile(file)),
    keepUpload: async ({ path: inFolder }) => uploadUrl(inFolder),
    ...guarded({ transcribe }, open),
    artifactFile: async ({ path: inHome }) => join(home, inHome),
    toolsReady: () => open(() => mcp.tried),
    openArtifact: (id) => open(() => artifacts.open(id)),
    learnedModels: () => open(async () => (await learned()).list()),
    forgetLearned: ({ model }) => open(async () => (await learned()).forget(model)),
    providers: ({ agent } = {}) =>
      open(() => {
        const { model, fallbacks = [], agents = [] } = settings.now();
        const own = agents.find(({ name }) => name === agent)?.models;
        return listProviders(own ?? [model, ...fallbacks], clock);
      }),
    delivered: (delivery) => open(() => archive.delivered(delivery).then(masking.nudge)),
    amend: ({ runID, ...amendment }) => open(() => parts.amend(runID, secrets.maskAll(amendment))),
    deleteAnswer: ({ runID }) => open(() => parts.deleteAnswer(runID)),
    noteFeedback: ({ runID, ...feedback }) =>
      open(() => noteFeedback(tables, { runID, feedback }, parts.feedbackCalls)),
    setRooms: ({ rooms }) =>
      open(() => {
        events.commit((record) => {
          setClosedRooms(rooms);
          record({ type: 'rooms.changed', properties: {} });
        });
        return memory.setRooms(rooms);
      }),
    ...guarded(placesOf(placeNames, events), open),
    forgetTurns: (turns) => open(() => parts.forgetTurns(turns)),
    forgetNote: (note) => open(() => forgetNote({ memory, later: parts.later }, note)),
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
      closing ??= end();
      return closing;
    },
  };
}

/** What platforms call their places: set by gateways, found by people. */
function placesOf(names: PlaceNameTable, events: EventLog): PlaceService {
  return {
    async setPlaceNames({ names: given }) {
      events.commit(() => names.set(given));
      names.committed();
    },
    namedChats: async ({ text, limit }) => names.list(text).slice(0, limit),
  };
}
