// The parts of an engine in the order in which each needs those before it. None of them has begun to work; see lifecycle.ts.
import { createActiveProblems } from '#base/active-problems.ts';
import { lazy } from '#base/lazy.ts';
import { createSecrets } from '#base/secrets.ts';
import { noTracing } from '#base/tracing.ts';
import { createActiveMemory } from './active/active-memory.ts';
import { createArtifactRows } from './artifacts/artifact-rows.ts';
import { createArtifacts } from './artifacts/artifacts.ts';
import { createContentParts } from './content-parts.ts';
import { createContextBuilder } from './context/build.ts';
import { createUnderWay } from './context/under-way.ts';
import { createAmend } from './conversations/amend.ts';
import { createRunArchive } from './conversations/archive.ts';
import { createCompactionParts } from './conversations/compaction-parts.ts';
import { createDeleteAnswer } from './conversations/delete-answer.ts';
import { createFeedbackCalls } from './conversations/feedback-calls.ts';
import { createForgetAgents } from './conversations/forget-agents.ts';
import { createLaterAnswers } from './conversations/later-answers.ts';
import type { EngineOptions } from './engine-options.ts';
import { openEngineStorage } from './engine-storage.ts';
import { createLiveSettings } from './live-settings.ts';
import { refusingEnded } from './memory-api/session-tier.ts';
import { createMemoryParts } from './memory-parts.ts';
import { verdictOf } from './permissions/policy.ts';
import { mediaCalls } from './providers/media.ts';
import { createModelsHere } from './providers/models-here.ts';
import { createRequestParts } from './request-parts.ts';
import { createForeignRuns } from './runs/foreign-runs.ts';
import { resumeRuns } from './runs/resume-runs.ts';
import { createRuns } from './runs/runs.ts';
import { createSessionProvider } from './runs/session-provider.ts';
import { createSpeakAnswer } from './runs/spoken-answer.ts';
import { createFeedbackRows } from './runs/tables/feedback-rows.ts';
import { createPromptRows } from './runs/tables/prompt-rows.ts';
import { createRunList } from './runs/tables/run-list.ts';
import { createRunRows } from './runs/tables/run-rows.ts';
import type { RunTables } from './runs/tables/run-tables.ts';
import { createUsageRows } from './runs/tables/usage-rows.ts';
import { createScheduleParts } from './schedule-parts.ts';
import { createPlaceNames } from './sessions/place-names.ts';
import { createConversationRows, createSessions } from './sessions/sessions.ts';
import { createTeamParts } from './team-parts.ts';
import { openMcpServers } from './tools/mcp/open.ts';
import { createToolbox } from './tools/toolbox.ts';

export type EngineParts = Awaited<ReturnType<typeof createEngineParts>>;

/** Opens the database and puts the parts over it; throws as `createEngine` does. */
export async function createEngineParts(options: EngineOptions) {
  const { clock, newId, log, version = 'unknown', secrets = createSecrets([]) } = options;
  const { models = createModelsHere(clock), problems = createActiveProblems(clock), readUpload } = options;
  const settings = createLiveSettings(options, { models, clock });
  const { limits, agents, providers, policy } = settings;
  const stores = openEngineStorage(options, {
    ...{ limits, problems },
    noticed(event) {
      underWay.noticed(event);
      if (event.type === 'session.run.finished') sessions.written();
    },
  });
  const { home, database, storage, events, runFiles } = stores;
  const learned = lazy(async () =>
    (await import('./providers/repair/learned.ts')).createLearned(database, clock),
  );
  const calls = { clock, log, limits, secrets, problems, learned };
  const [placeNames, artifactRows] = [createPlaceNames(database), createArtifactRows(database)];
  const { of: namesOf } = placeNames;
  const conversation = createConversationRows(database, placeNames);
  const memory = refusingEnded(options, conversation.sessions);
  const { requestRows, requests, permissions } = createRequestParts({
    ...{ database, events, policy, limits, clock, newId },
    expiredAlone: () => options.resumes !== false && void resumeRuns({ runs, tables, log }),
  });
  const missions = createTeamParts({
    ...{ database, events, settings, limits, requests, permissions, secrets, clock, newId, log },
    later: () => ({ tools, tables, runs }),
  });
  const tables: RunTables = {
    ...{ runs: createRunRows(database), list: createRunList(database, placeNames) },
    ...{ usage: createUsageRows(database), prompts: createPromptRows(database) },
    ...{ requests, conversation, artifacts: artifactRows, events, clock, newId },
    ...{ observer: missions.observer, outdated: new Set(), feedback: createFeedbackRows(database) },
  };
  const sessions = createSessions({
    ...{ rows: conversation, events, modelOf: providers.resolve, clock, newId },
    ...{ ofChannels: options.channelSessions, mask: options.mask },
  });
  const sharing = () => settings.now().sharing;
  const underWay = createUnderWay(tables);
  const watched = underWay.watched(memory);
  const activeMemory = createActiveMemory({
    ...{ memory: watched, providers, agents, calls },
    settings: options.memorySettings?.active,
  });
  const parentOf = (id: string) => conversation.sessions.lasting(id)?.parentID;
  const foreignRuns = createForeignRuns(tables.runs, agents, parentOf);
  const context = createContextBuilder({
    ...{ sessions, memory: watched, sharing, limits, readUpload, clock, log },
    ...{ namesOf, foreignRuns },
    zoneOf: (person, onPlatform) => schedules.saved.zoneOf(person) ?? onPlatform ?? settings.now().timeZone,
  });
  const artifacts = createArtifacts({
    ...{ home, rows: artifactRows, events, clock, newId, secrets },
    limits: { fileBytes: limits.artifactBytes, filesPerRun: limits.artifactsPerRun },
  });
  const zone = () => settings.now().timeZone;
  const schedules = createScheduleParts({
    ...{ database, events, limits, secrets, zone, namesOf, clock, newId, log },
  });
  const mcp = await openMcpServers({
    ...{ servers: options.mcp ?? {}, named: () => settings.now().namedTools ?? [] },
    ...{ version, clock, log, problems },
  });
  const media = () => mediaCalls(settings.now().media ?? {}, clock);
  const tools = createToolbox({
    rooms: { memory: watched, sessions, requests, artifacts, mcp, schedules: schedules.service },
    ...{ foreignRuns, team: missions.tools, media, secrets, clock },
    ...{ web: () => settings.now().web, search: () => settings.now().search },
    mayAsk: ({ platform }) =>
      verdictOf(policy, 'add_session_element', { platform, otherwise: 'allow' }) === 'allow',
    ...{ toolChars: limits.toolChars, artifactBytes: limits.artifactBytes, outdated: tables.outdated },
  });
  const archive = createRunArchive({ tables, memory: watched, agents, log });
  const providerOf = createSessionProvider(providers, tables.runs);
  const memoryParts = createMemoryParts({
    ...{ database, memory, sharing, policy, tables, sessions, namesOf },
    ...{ agents, archive, foreignRuns, providerOf, calls },
    settings: options.memorySettings ?? {},
    provider: () => providers.resolve(),
  });
  const { responseCache, flush } = memoryParts;
  const compaction = createCompactionParts({
    ...{ tables, sessions, providerOf, calls, limits, flush, clock, log },
    ...{ tools, permissions, agents, learned },
  });
  const runs = createRuns({
    ...{ tables, storage, providers, artifacts, limits, agents, clock, log },
    servers: Object.keys(options.mcp ?? {}),
    parts: {
      ...{ sessions, context, tools, toolsReady: mcp.tried, permissions, requests },
      ...{ calls, responseCache, activeMemory },
      speakAnswer: createSpeakAnswer({ media, artifacts }),
    },
    sent: compaction.summaries.afterRun,
    instances: missions.instances,
    tracing: options.tracing ?? noTracing,
  });
  const ledgerContent = createContentParts({
    ...{ database, home, memory, secrets, tables, sessions, requestRows },
    ...{ artifacts, runFiles, responseCache, stop: runs.cancel, team: missions.team },
    ...{ mask: options.mask, log },
    schedules: { ...schedules.saved, ...schedules.service },
  });
  const { team } = missions;
  const { branches } = ledgerContent;
  const forgetAgents = createForgetAgents({ tables, team, branches, finished: runs.finished, log });
  const later = createLaterAnswers({ tables, memory, archive, finished: runs.finished, log });
  const ofAmends = { tables, sessions, memory, archive, team, forgetAgents, later };
  return {
    ...{ ...stores, ...ledgerContent, settings, secrets, version, tables, sessions, requests, permissions },
    ...{ missions, activeMemory, artifacts, schedules, mcp, tools, archive, later },
    ...{ ...createAmend(ofAmends), deleteAnswer: createDeleteAnswer(ofAmends) },
    ...{ memoryParts, placeNames, ...compaction, runs, learned },
    feedbackCalls: createFeedbackCalls(options.feedbackWebhook, {
      ...{ rows: tables.feedback, events, clock, newId, log },
    }),
  };
}
