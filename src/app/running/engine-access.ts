// How a command reaches the engine of its home folder: over HTTP where a Parley runs, else its own engine for as long as it works.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedConfig } from '#app/config/load.ts';
import { notedAddress } from '#app/home/engine-address.ts';
import { type HomeLock, lockHome, type ProcessRole } from '#app/home/home-lock.ts';
import { readVersion } from '#app/home/version.ts';
import {
  configuredSecrets,
  policySettings,
  runLimits,
  sharedMemorySettings,
} from '#app/settings/engine-settings.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createLog } from '#base/log/log.ts';
import { createMask } from '#base/secrets.ts';
import { createClient, type ParleyClient, refusalOf } from '#engine/client/client.ts';
import { createEngine } from '#engine/engine.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { createMemory } from '#memory/memory.ts';

export interface EngineAccess {
  client: ParleyClient;
  /** Whether a Parley is running there: without one nothing happens but what the command does. */
  running: boolean;
  /** The address of that one. */
  url?: string;
  close(): Promise<void>;
}

/** A part that has not said how it is within so many milliseconds does not answer. */
const answerMs = 10_000;
/** Two commands at once wait for each other, and for a program that is starting: so many looks, so far apart. */
const looks = 15;
const betweenMs = 200;

/**
 * The running engine of the home folder; where none runs, the same client on the databases themselves, with the home
 * locked against a start until it is closed. A ParleyError `engine_unreachable` where one runs and does not answer.
 */
export async function openEngineAccess(loaded: LoadedConfig): Promise<EngineAccess> {
  for (let look = 1; ; look += 1) {
    const lock = freeHome(loaded.home);
    if (lock !== undefined) return openAlone(loaded, lock);
    const engine = await runningAt('engine', loaded);
    if (engine !== undefined)
      return { client: createClient(engine), running: true, url: engine.baseUrl, close: async () => {} };
    if (look === looks) break;
    await systemClock.sleep(betweenMs);
  }
  throw new ParleyError(
    'engine_unreachable',
    `A Parley runs with the home folder ${loaded.home}, but its engine does not answer at ${notedAddress('engine', loaded.home) ?? 'any address'}.`,
    { hint: 'Wait until it has started, or stop it and call this again.' },
  );
}

/** The lock, or undefined while another process has it. */
function freeHome(home: string): HomeLock | undefined {
  try {
    return lockHome(home, 'engine');
  } catch (error) {
    if (codeOf(error) === 'home_in_use') return undefined;
    throw error;
  }
}

/** The token that the engine of this home folder expects; undefined before its first start. */
export function tokenOf({
  home,
  environment,
}: Pick<LoadedConfig, 'home' | 'environment'>): string | undefined {
  const file = join(home, 'token');
  return environment.PARLEY_TOKEN ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
}

/**
 * The address of the running engine, or of the channels when they run apart; undefined when none has noted one or none answers. Throws a
 * ParleyError `engine_token` when the known token is refused or missing.
 */
export async function runningAt(
  role: ProcessRole,
  { home, environment, folder }: Pick<LoadedConfig, 'home' | 'environment' | 'folder'>,
): Promise<{ baseUrl: string; token: string } | undefined> {
  const baseUrl = notedAddress(role, home);
  if (baseUrl === undefined) return undefined;
  const token = tokenOf({ home, environment });
  const { health, channels } = createClient({ baseUrl, token: token ?? 'none', timeoutMs: answerMs });
  try {
    await health();
    await channels.status();
    return token === undefined ? undefined : { baseUrl, token };
  } catch (error) {
    // it is starting, or was killed and another command holds the home, or another program has its address now
    if (refusalOf(error)?.code !== 'UNAUTHORIZED' || !isHeld(home, role)) return undefined;
    throw new ParleyError(
      'engine_token',
      `A Parley runs at ${baseUrl} with the home folder ${home}, and asks for ${token === undefined ? 'a token that is not known here' : 'another token than the one that is known here'}.`,
      {
        hint: `Set PARLEY_TOKEN for this command as for the program that runs, or put it into ${join(folder, '.env')}.`,
      },
    );
  }
}

function isHeld(home: string, role: ProcessRole): boolean {
  try {
    lockHome(home, role, 'restore').release();
    return false;
  } catch (error) {
    return codeOf(error) === 'home_in_use';
  }
}

/**
 * The parts of Parley that hold their role in the home folder and do not answer, as text. `answers` says which do; channels that run with
 * the engine answer with it.
 */
export function silentParts(home: string, answers: Readonly<Record<ProcessRole, boolean>>): string[] {
  return (['engine', 'channels'] as const).flatMap((role) => {
    const baseUrl = answers[role] ? undefined : notedAddress(role, home);
    // where nobody has the role it is a note of one that was killed
    return baseUrl !== undefined && isHeld(home, role) ? [baseUrl] : [];
  });
}

/** What is to be said of it. */
export const silence = {
  words: (url: string): string => `The Parley at ${url} runs and does not answer.`,
  hint: 'It may be starting, or hang: look at its log, and start it again if it stays so.',
};

/** No model is asked and no server of tools is started: there is nobody to answer. */
async function openAlone(loaded: LoadedConfig, lock: HomeLock): Promise<EngineAccess> {
  const { home, config } = loaded;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => lock.release());
  const clock = systemClock;
  const newId = createIds(clock);
  const version = readVersion();
  const log = createLog({ level: config.log.level, mask: createMask(configuredSecrets(loaded)) });
  if (config.storage.memory === 'shared')
    throw new ParleyError(
      'engine_unreachable',
      'No Parley runs with this home folder, and its memory is shared.',
      {
        hint: 'Start it, and call this again.',
      },
    );
  const memory = createMemory({ path: join(home, 'memory.sqlite'), clock, newId });
  stack.defer(() => memory.close());
  const engine = await createEngine({
    path: join(home, 'engine.sqlite'),
    clock,
    newId,
    log,
    memory,
    sharing: config.memory.sharing,
    version,
    model: { provider: 'offline' },
    resumes: false,
    agent: config.agent,
    ...policySettings(config),
    memorySettings: sharedMemorySettings(config),
    limits: runLimits(config),
    home,
  });
  stack.defer(() => engine.close());
  const owned = stack.move();
  return {
    client: clientInProcess(engine, { clock, log, version }),
    running: false,
    close: () => owned.disposeAsync(),
  };
}
