// Which model works for a session next to its answers: for its summaries, its distillation, its memory flush.
import { codeOf } from '#base/errors.ts';
import type { Provider, Providers } from '#engine/providers/provider.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { RunTables } from './tables/run-tables.ts';

/** The model with the id, or the one of the session's newest run; the usual one where that is no longer configured. */
export function createSessionProvider(
  providers: Providers,
  runs: RunTables['runs'],
): (sessionID: string, modelID?: string) => Provider {
  return (sessionID, modelID) =>
    modelID === undefined
      ? (stillThere(providers, runs.newest(sessionID)) ?? providers.resolve())
      : providers.resolve({ modelID });
}

/** The model that a run of an agent had, unless it is no longer configured; the agent's usual one without a run. */
export function stillThere(
  providers: Providers,
  run: Pick<Run, 'model' | 'agent'> | undefined,
): Provider | undefined {
  try {
    return providers.resolve(run?.model, run?.agent);
  } catch (error) {
    if (codeOf(error) === 'unknown_model') return undefined;
    throw error;
  }
}
