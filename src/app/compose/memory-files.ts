// Where the memory files of a home folder are, and what of the config they are read with.
import { join } from 'node:path';
import type { LoadedConfig } from '#app/config/load.ts';
import { memoryFilesFolder } from '#app/folders.ts';
import type { DreamingOptions } from '#memory/types/dreaming.ts';
import type { FileAudience, MemoryFilesOptions } from '#memory/types/files.ts';

/** How the config lets memory dream. */
export function dreamingOf({ config }: Pick<LoadedConfig, 'config'>): DreamingOptions {
  const { enabled: isOn, ...settings } = config.memory.dreaming;
  return { isOn, settings };
}

export function memoryFilesOf({ config, home }: Pick<LoadedConfig, 'config' | 'home'>): MemoryFilesOptions {
  const { wiki, files } = config.memory;
  const { characters, extra, timeZone, maxBytes } = files;
  const pages = wiki === undefined ? [] : [{ ...wiki, corpus: 'wiki' }];
  return {
    root: join(home, memoryFilesFolder),
    characters,
    timeZone,
    maxBytes,
    // the schema checked the words
    extra: [...extra, ...pages].map((each) => ({ ...each, audience: each.audience as FileAudience })),
  };
}
