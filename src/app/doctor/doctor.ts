// Everything that can stand in the way of a bot, looked at once: the machine, the files, the model, each platform live. Changes nothing by itself.

import { resolve } from 'node:path';
import { chooseEmbedder } from '#app/compose/embedder.ts';
import { dreamingOf, memoryFilesOf } from '#app/compose/memory-files.ts';
import { envFileOf } from '#app/config/environment.ts';
import { configFileName, type LoadedConfig } from '#app/config/load.ts';
import { shareHome } from '#app/home/home-share.ts';
import { tokenOf } from '#app/running/engine-access.ts';
import { guides } from '#app/screen/guide.ts';
import { enabledPlatforms } from '#app/settings/channels.ts';
import { configuredSecrets } from '#app/settings/engine-settings.ts';
import { teamSettings } from '#app/settings/team-settings.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { createLog } from '#base/log/log.ts';
import { createSecrets } from '#base/secrets.ts';
import type { MemoryOptions } from '#memory/memory.ts';
import { checkWhatCannotBe } from './cannot-be.ts';
import { type Diagnostic, type DiagnosticSection, errorFinding, warning } from './diagnostic.ts';
import { checkEmbedding } from './embedding.ts';
import { checkHome, checkLedgers } from './home.ts';
import { checkClock, checkProgram, clockSkewMs } from './machine.ts';
import { checkMcp } from './mcp.ts';
import { checkAudiences, checkMemory } from './memory.ts';
import { checkModels } from './model.ts';
import { checkNetwork } from './network.ts';
import { checkPeople } from './people.ts';
import { checkPlatforms, openAddresses } from './platforms.ts';
import { lookForRunning } from './running.ts';
import { checkSearch } from './search.ts';
import { checkStorage } from './storage.ts';
import { checkTeams } from './teams.ts';
import { checkTokens } from './tokens.ts';

interface DoctorOptions {
  loaded: LoadedConfig;
  /** Where the command was called, and the config that it was given. */
  folder: string;
  configFile?: string | undefined;
  clock: Clock;
  /** Leaves out what reads whole databases. */
  quick?: boolean | undefined;
  /** How long another program that fetches Telegram's messages is waited for; 4 when absent. */
  probeSeconds?: number | undefined;
}

/** Most such programs ask again well within this, in seconds, when their poll is ended. */
const usualProbe = 4;

/** Each database, and what of the memory is not in its file; one remark instead while a restore exchanges them. */
async function checkDatabases(
  loaded: LoadedConfig,
  options: Pick<DoctorOptions, 'clock' | 'quick'>,
): Promise<{ ledgers: Diagnostic[]; memory: Diagnostic[] }> {
  const { home } = loaded;
  using share = new DisposableStack();
  try {
    share.adopt(shareHome(home), (held) => held.release());
  } catch (error) {
    // A restore that was cut off works no more; the look at the home folder says so.
    if (codeOf(error) !== 'restore_unfinished')
      return {
        ledgers: [errorFinding(errorMessage(error), hintOf(error) ?? 'Call this again.')],
        memory: [],
      };
  }
  const ledgers = options.quick === true ? [] : checkLedgers(home);
  // a memory that cannot be read is named with its file already
  const unreadable = ledgers.some(({ level, what }) => level === 'error' && what.includes('memory.sqlite'));
  return {
    ledgers,
    memory: unreadable
      ? []
      : await checkMemory(home, {
          ...options,
          ...modelOf(loaded),
          files: memoryFilesOf(loaded),
          dreaming: dreamingOf(loaded),
          budgets: loaded.config.memory.budgets,
        }),
  };
}

/** The embedding model whose vectors are counted; another check reports what is wrong with it. */
function modelOf(loaded: LoadedConfig): Pick<MemoryOptions, 'embedder' | 'embedderMissing'> {
  try {
    return chooseEmbedder(loaded);
  } catch (error) {
    return { embedderMissing: errorMessage(error) };
  }
}

/** Runs all checks; returns their sections in the order of reading, without secrets. */
export async function runDiagnostics(options: DoctorOptions): Promise<DiagnosticSection[]> {
  const { loaded, clock, probeSeconds = usualProbe, quick } = options;
  const { config } = loaded;
  const path = resolve(options.folder, options.configFile ?? configFileName);
  const log = createLog({ level: 'silent', mask: (line) => line });
  const env = envFileOf(path);
  const { running, channels, remarks } = await lookForRunning(loaded, { config: path, env });
  const addresses = openAddresses(config);
  const storage = await checkStorage(loaded, clock);
  const [platforms, models, search, servers, vectors, files, skews] = await Promise.all([
    checkPlatforms(loaded, {
      ...{ clock, log, probeSeconds, led: storage.led },
      running: running ? (channels ?? {}) : undefined,
    }),
    checkModels(loaded, clock),
    checkSearch(loaded, clock),
    running ? [] : checkMcp(loaded, clock),
    checkEmbedding(loaded),
    checkHome(loaded, { config: path, env, running }),
    Promise.all(
      enabledPlatforms(loaded).map(async (who) => ({ who, ms: await clockSkewMs(addresses[who], clock) })),
    ),
  ]);
  const teams = await checkTeams(teamSettings(config.agents.team, loaded.folder));
  const measured = skews.flatMap(({ who, ms }) => (ms === undefined ? [] : [{ who: guides[who].title, ms }]));
  const { ledgers, memory } = await checkDatabases(loaded, { clock, quick });
  const unread = loaded.warnings.map((words) => warning(words, 'Correct it, and start again.'));
  const network = checkNetwork(loaded);
  const chapters: DiagnosticSection[] = [
    { about: 'machine', remarks: [...checkProgram(), ...checkClock(measured)] },
    ...(network.length === 0 ? [] : [{ about: 'network', remarks: network }]),
    { about: 'files', remarks: [...unread, ...checkWhatCannotBe(loaded), ...files, ...ledgers] },
    { about: 'memory', remarks: [...checkAudiences(config), ...memory, ...vectors] },
    ...(storage.remarks.length === 0 ? [] : [{ about: 'storage', remarks: storage.remarks }]),
    { about: 'program', remarks },
    { about: 'model', remarks: [...models, ...search] },
    ...(servers.length === 0 ? [] : [{ about: 'mcp', remarks: servers }]),
    ...(teams.length === 0 ? [] : [{ about: 'teams', remarks: teams }]),
    { about: 'people', remarks: [...(await checkPeople(loaded)), ...checkTokens(loaded, clock.now())] },
    ...platforms,
  ];
  const { mask } = createSecrets([...configuredSecrets(loaded), tokenOf(loaded)]);
  return chapters.map(({ about, remarks: each }) => ({
    about,
    remarks: each.map(({ what, hint, ...rest }) => ({
      ...rest,
      what: mask(what),
      ...(hint === undefined ? {} : { hint: mask(hint) }),
    })),
  }));
}
