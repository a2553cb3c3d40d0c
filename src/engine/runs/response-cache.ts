// Answers given again where all is the same: the model, who asks and where, what was written, what is recalled, which tools there are. Off unless configured.
import { hash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Context } from '#engine/context/build.ts';
import { noteOriginOf } from '#engine/context/scope-of.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { AnyTool } from '#engine/tools/definition/registry.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { StoredRun } from './tables/run-row.ts';

export interface ResponseCacheSettings {
  /** How long an answer is given again, in milliseconds. */
  keepMs: number;
  /** How many are kept; the oldest go. */
  most: number;
}

/** One question in its circumstances. */
interface CacheLookup {
  run: StoredRun;
  provider: Provider;
  context: Context;
  offered: readonly AnyTool[];
}

export interface ResponseCache {
  /** An answer that was given to just this in another session; memory that fails gives none. */
  of(asking: CacheLookup): Promise<string | undefined>;
  /** Stores a whole answer for which no tool was called. */
  save(asking: CacheLookup, text: string): Promise<void>;
  /** Drops what is too old, and everything where nothing is kept any more. */
  prune(): Promise<void>;
  /** Drops the answers of a session. */
  forget(sessionID: string): Promise<void>;
}

/** Longer answers are not kept; neither are those of runs with settings of their own. */
const maxChars = 20_000;

/** Over the memory, which drops them with whatever it forgets. */
export function createResponseCache(options: {
  memory: Pick<Memory, 'response' | 'keepResponse' | 'dropResponses'>;
  settings: ResponseCacheSettings | undefined;
  secrets: Secrets;
  clock: Clock;
  log: Log;
}): ResponseCache {
  const { memory, settings, secrets, clock, log } = options;
  /** An answer is never worth a failed run. */
  const tried = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      log.warn({ error: errorMessage(error) }, 'cached answers cannot be used');
      return undefined;
    }
  };
  return {
    async of(asking) {
      if (settings === undefined || hasSettings(asking.run)) return undefined;
      const { sessionID } = asking.run;
      const scope = { audiences: [audienceOf(asking)], spaces: [], everyone: false };
      const query = { key: keyOf(asking), scope, sessionID, since: clock.now() - settings.keepMs };
      const text = await tried(() => memory.response(query));
      if (text === undefined) return undefined;
      log.info({ runID: asking.run.runID }, 'an answer is given again');
      return secrets.mask(text);
    },
    async save(asking, text) {
      const { run, provider } = asking;
      if (settings === undefined || hasSettings(run) || text.length > maxChars) return;
      const response = {
        key: keyOf(asking),
        audience: audienceOf(asking),
        sessionID: run.sessionID,
        model: `${provider.providerID}/${provider.modelID}`,
        text,
        most: settings.most,
      };
      await tried(() => memory.keepResponse(response));
    },
    async prune() {
      const before = settings === undefined ? undefined : clock.now() - settings.keepMs;
      await tried(() => memory.dropResponses({ before }));
    },
    async forget(sessionID) {
      await tried(() => memory.dropResponses({ sessionID }));
    },
  };
}

/** Whether a run has settings that change its answer; what a look brings up is part of the key anyway. */
function hasSettings({ settings = {} }: StoredRun): boolean {
  const { activeMemory: _, ...others } = settings;
  return Object.values(others).some((value) => value !== undefined);
}

function audienceOf({ run }: CacheLookup) {
  return noteOriginOf(run.origin).where.audience;
}

/** All that decides an answer but the time of day: no two persons, places or recollections share one. */
function keyOf({ run, provider, context, offered }: CacheLookup): string {
  return hash(
    'sha256',
    JSON.stringify([
      provider.providerID,
      provider.modelID,
      run.agent,
      run.origin?.speaker.person ?? null,
      run.origin?.chat ?? null,
      context.scope.audiences,
      context.scope.spaces,
      context.scope.everyone,
      context.scope.projectID ?? null,
      context.same(),
      context.messages,
      offered.map(({ name, description }) => [name, description]),
    ]),
  );
}
