// The embedding model that the config names: where its files are in the home folder, and how they get there.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import type { LoadedConfig } from '#app/config/load.ts';
import { knownModels } from '#app/config/memory/known-models.ts';
import { modelsFolder } from '#app/home/folders.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { modelInstaller } from '#engine/providers/local/embedder.ts';
import { filesOfModel } from '#engine/providers/local/model-folder.ts';
import { downloadModel } from './download.ts';

type Home = Pick<LoadedConfig, 'config' | 'folder' | 'home'>;

/** The folder of the local model, absolute: the one that the config names, or the one that it is downloaded into; undefined without one. */
export function localModelFolder({ config, folder, home }: Home): string | undefined {
  const { embedding } = config.memory;
  if (embedding?.provider !== 'local') return undefined;
  const { source } = embedding;
  if ('folder' in source) return resolve(folder, source.folder);
  // a commit names one content, so that another commit is another folder
  return join(home, modelsFolder, source.revision.slice(0, 12), basename(source.name));
}

/** The model that the config names and that is not, or not wholly, in the home folder; undefined when none has to be downloaded. */
export function modelToFetch(loaded: Home): string | undefined {
  const { embedding } = loaded.config.memory;
  if (embedding?.provider !== 'local' || 'folder' in embedding.source) return undefined;
  const folder = localModelFolder(loaded) ?? '';
  const missing = filesOfModel((path) => existsSync(join(folder, path)));
  return typeof missing === 'string' ? embedding.source.name : undefined;
}

/**
 * Downloads the model that the config names, unless it is there; `onProgress` hears of bytes. Rejects with a ParleyError `model_download`
 * as text, and `invalid_usage` where the config names none.
 */
export async function fetchModel(
  loaded: Home,
  options: { signal: AbortSignal; onProgress?: (at: { done: number; total: number }) => void },
): Promise<string> {
  const { embedding } = loaded.config.memory;
  const folder = localModelFolder(loaded);
  if (embedding?.provider !== 'local' || 'folder' in embedding.source || folder === undefined)
    throw new ParleyError('invalid_usage', 'The config names no model to download.', {
      hint: 'Set `memory.embedding` to { "provider": "local", "model": "NAME" }.',
    });
  const model = embedding.source;
  const files =
    knownModels[model.name]?.revision === model.revision ? knownModels[model.name]?.files : undefined;
  await downloadModel({ model, files, folder, clock: systemClock, ...options });
  return folder;
}

/** The command that installs the package that runs it next to Parley; undefined when it is installed. */
export function missingRunner(): string | undefined {
  try {
    createRequire(import.meta.url).resolve('@huggingface/transformers');
    return undefined;
  } catch {
    return modelInstaller;
  }
}
