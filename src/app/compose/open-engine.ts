// The engine of this process with its memory, as the config has them. Not its HTTP face.
import { join } from 'node:path';
import type { LoadedConfig } from '#app/config/load.ts';
import { assistantSettings } from '#app/settings/assistants.ts';
import { engineSettings } from '#app/settings/engine-settings.ts';
import { modelSettings } from '#app/settings/model.ts';
import { teamSettings } from '#app/settings/team-settings.ts';
import { createEngine, type FeedbackWebhook } from '#engine/engine.ts';
import type { EngineSettings, Reconfigurable } from '#engine/live-settings.ts';
import type { ModelClient } from '#engine/providers/calls/model-call.ts';
import { createModelThread } from '#engine/providers/thread/thread.ts';
import type { Prunable } from '#engine/wire/operator/prunable.ts';
import type { StandingSchedules } from '#engine/wire/schedules/schedule-standing.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { StandingTeams } from '#engine/wire/teams/team-standing.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import type { Memory } from '#memory/types/contract.ts';
import { createDamageNotice, type DamageNotice } from './damage-notice.ts';
import { mediaOf, transcriptionOf } from './media-models.ts';
import { openMemory } from './open-memory.ts';
import type { ProcessContext } from './process-context.ts';
import { searchOf } from './web-search.ts';

/** The engine's settings that may change while it runs. Throws a ParleyError `config_invalid` for a missing variable. */
export function engineSettingsOf(
  {
    config,
    environment,
    variables,
    folder,
  }: Pick<LoadedConfig, 'config' | 'environment' | 'variables' | 'folder'>,
  deltaMs: number,
): EngineSettings {
  const { mcp: _mcp, memorySettings: _memory, ...settings } = engineSettings(config, variables, folder);
  return {
    ...settings,
    ...assistantSettings(config, environment),
    team: teamSettings(config.agents.team, folder),
    sharing: config.memory.sharing,
    timeZone: config.timeZone,
    model: { ...modelSettings(config.model, environment), deltaMs },
    fallbacks: config.model.fallbacks.map((each) => modelSettings(each, environment)),
    media: mediaOf({ config, environment }),
    search: searchOf({ config, environment, folder }),
  };
}

/** After its start a program loads what asks a provider, so that the first answer need not wait for that. */
const warmAfterMs = 3_000;

/**
 * Opens the memory and the engine. `deltaMs` is the pause between two pieces of an offline answer. Providers are called by `models`,
 * which the caller closes, or else by a separate thread of the engine. `memory` is one that is not in the home folder.
 */
export async function openEngine(
  context: ProcessContext,
  {
    deltaMs,
    models: given,
    memory: shared,
  }: { deltaMs: number; models?: ModelClient | undefined; memory?: Memory | undefined },
): Promise<{
  engine: EngineService & Reconfigurable & Prunable & StandingSchedules & StandingTeams;
  memory: Memory;
  damage: DamageNotice;
}> {
  const { loaded, clock, newId, log, problems, tracing, version, secrets, uploads, stack, ending } = context;
  const { config, home, variables } = loaded;
  const settings = engineSettingsOf(loaded, deltaMs);
  const damage = createDamageNotice(home, log);
  const memory = shared ?? openMemory(context, damage);
  stack.defer(() => memory.close());
  const models = given ?? createModelThread();
  if (given === undefined) stack.defer(() => models.close());
  const redact = createRedact();
  const { mcp, memorySettings } = engineSettings(config, variables, loaded.folder);
  const engine = await createEngine({
    path: join(home, 'engine.sqlite'),
    clock,
    newId,
    log,
    memory,
    version,
    ...settings,
    mcp,
    memorySettings,
    home,
    channelSessions: { projectID: config.sessions.project, workspaceRoot: loaded.folder },
    readUpload: uploads.read,
    transcription: transcriptionOf(loaded),
    feedbackWebhook: feedbackWebhookOf(loaded),
    secrets,
    mask: async (text) => (await redact(text)).text,
    problems,
    tracing,
    models,
  });
  stack.defer(() => engine.close());
  if (settings.model.provider !== 'offline') {
    const warm = clock.sleep(warmAfterMs, ending.signal).then(() => models.warm());
    warm.catch(() => undefined); // it is ending
  }
  return { engine, memory, damage };
}

function feedbackWebhookOf({ config, environment }: LoadedConfig): FeedbackWebhook | undefined {
  const { webhook: url } = config.feedback;
  return url === undefined ? undefined : { url, secret: environment.PARLEY_FEEDBACK_SECRET };
}
