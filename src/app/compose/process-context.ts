// What every part of Parley that runs in a process builds on: its locks, its token, its log, and the end that it comes to.
import { join } from 'node:path';
import { runUploadRetention } from '#adapters/uploads/retention.ts';
import { createUploadStore, type UploadStore } from '#adapters/uploads/store.ts';
import { createLiveConfig, type LiveConfig } from '#app/config/live-config.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import type { Config } from '#app/config/schema.ts';
import { uploadsFolder } from '#app/home/folders.ts';
import type { ProcessRole } from '#app/home/home-lock.ts';
import { lockHomeWhenFree } from '#app/home/home-wait.ts';
import { readVersion } from '#app/home/version.ts';
import { configuredSecrets } from '#app/settings/engine-settings.ts';
import { openTracing } from '#app/telemetry/tracing.ts';
import { type ActiveProblems, createActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { createIds, type NewId } from '#base/ids.ts';
import { createLog, type Log } from '#base/log/log.ts';
import { createLogTail, type LogTail } from '#base/log/log-tail.ts';
import { createSecrets, type Secrets } from '#base/secrets.ts';
import { noTracing, type Tracing } from '#base/tracing.ts';
import { ensureToken, readToken } from '#engine/http/guards/token.ts';

export interface ProcessContext {
  loaded: LoadedConfig;
  clock: Clock;
  token: string;
  secrets: Secrets;
  log: Log;
  /** Its newest lines. */
  logTail: LogTail;
  newId: NewId;
  version: string;
  problems: ActiveProblems;
  tracing: Tracing;
  uploads: UploadStore;
  live: LiveConfig;
  /** Owns all that was opened. */
  stack: AsyncDisposableStack;
  /** Aborts when the part begins to close. */
  ending: AbortController;
}

/** Holds a role in the home folder until the part ends; waits until no command has it. */
export async function lockHomeFor(
  stack: AsyncDisposableStack,
  { home }: LoadedConfig,
  role: ProcessRole,
): Promise<void> {
  const held = await lockHomeWhenFree(home, role);
  stack.defer(() => held.release());
}

/** The engine's token, created when there is none, and the path of its file. */
export async function ownToken({ home, environment }: LoadedConfig) {
  const tokenFile = environment.PARLEY_TOKEN === undefined ? join(home, 'token') : undefined;
  return { tokenFile, token: environment.PARLEY_TOKEN ?? (await ensureToken(join(home, 'token'))) };
}

/** The token of an engine in another process: from the named file, else the environment, else the home folder. */
export function foreignToken(
  { home, environment }: LoadedConfig,
  tokenFile: string | undefined,
): Promise<string> | string {
  if (tokenFile === undefined && environment.PARLEY_TOKEN !== undefined) return environment.PARLEY_TOKEN;
  return readToken(tokenFile ?? join(home, 'token'));
}

/**
 * What every part of Parley shares: log, clock, secrets, uploads, problems. `stack` closes what it opens; its `loaded` is a separate
 * copy, whose config may change.
 */
export async function openProcessContext(
  stack: AsyncDisposableStack,
  {
    loaded,
    clock,
    token,
    ...how
  }: Pick<ProcessContext, 'loaded' | 'clock' | 'token'> & {
    /** What is made of every config before it holds. */
    adapt?: ((config: Config) => Config) | undefined;
    /** Whether the part reads a key at all. */
    isOurs?: ((key: string) => boolean) | undefined;
  },
): Promise<ProcessContext> {
  const { home } = loaded;
  const secrets = createSecrets([...configuredSecrets(loaded), token]);
  const uploads = createUploadStore({
    folder: join(home, uploadsFolder),
    get limitBytes() {
      return Math.round(loaded.config.uploads.maxSizeMiB * 1024 * 1024);
    },
  });
  const logTail = createLogTail();
  const log = createLog({ level: loaded.config.log.level, mask: secrets.mask, seen: logTail.add });
  const version = readVersion();
  const tracing = await openTracing({ variables: loaded.variables, version, clock, log });
  stack.defer(() => tracing?.close()); // last, so that what the others end is sent
  return {
    loaded,
    clock,
    token,
    secrets,
    log,
    logTail,
    newId: createIds(clock),
    version,
    problems: createActiveProblems(clock),
    tracing: tracing ?? noTracing,
    uploads,
    live: createLiveConfig({ loaded, clock, log, ...how }),
    stack,
    ending: new AbortController(),
  };
}

/** Prunes the uploads until the process ends. */
export function startUploadRetention({ loaded, uploads, clock, log, stack, ending }: ProcessContext): void {
  const days = loaded.config.uploads.retentionDays;
  if (days !== undefined) {
    const saved = runUploadRetention(uploads.folder, { days, clock, log }, ending.signal);
    stack.defer(() => saved);
  }
  stack.defer(() => ending.abort());
}
