// Where the memory files of a home folder are, and what of the config they are read with.
import { join } from 'node:path';
import type { LoadedConfig } from '#app/config/load.ts';
import { memoryFilesFolder, qmdFolder } from '#app/home/folders.ts';
import type { DreamingOptions } from '#memory/types/dreaming.ts';
import type { FileAudience, MemoryFilesOptions } from '#memory/types/files.ts';
import { usualDreaming } from '#memory/types/usual-dreaming.ts';

/** Memory's dreaming options from the config. */
export function dreamingOf({ config }: Pick<LoadedConfig, 'config'>): DreamingOptions {
  const { enabled: isOn, ...chosen } = config.memory.dreaming;
  return { isOn, settings: { ...usualDreaming, ...chosen } };
}

/** Memory's options for memory files, the wiki and qmd from the config. */
export function memoryFilesOf({
  config,
  home,
  variables,
}: Pick<LoadedConfig, 'config' | 'home' | 'variables'>): MemoryFilesOptions {
  const { wiki, files } = config.memory;
  const { characters, extra, timeZone, maxBytes } = files;
  const { command, mode, timeoutSeconds, updateMinutes } = config.memory.qmd;
  const qmd = {
    ...{ command, mode, timeoutMs: timeoutSeconds * 1_000, updateMs: updateMinutes * 60_000 },
    ...{ folder: join(home, qmdFolder), environment: environmentOf(variables) },
  };
  const pages = wiki === undefined ? [] : [{ ...wiki, corpus: 'wiki' }];
  return {
    root: join(home, memoryFilesFolder),
    characters,
    timeZone,
    maxBytes,
    ...(config.memory.backend === 'qmd' ? { qmd } : {}),
    // the schema checked the words
    extra: [...extra, ...pages].map((each) => ({ ...each, audience: each.audience as FileAudience })),
  };
}

/** What qmd needs to run, and no key or token. */
function environmentOf(variables: LoadedConfig['variables']): Record<string, string> {
  const named =
    /^(?:PATH|HOME|USER|LANG|LC_\w+|TMPDIR|XDG_CACHE_HOME|QMD_\w+|SYSTEMROOT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value !== undefined && named.test(name) ? [[name, value] as const] : [],
    ),
  );
}
