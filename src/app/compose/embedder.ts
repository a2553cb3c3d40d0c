// The memory's embedding model, as the config names it.

import { localModelFolder, modelToFetch } from '#app/compose/local-model/fetch-model.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { chooseModel } from '#app/settings/model.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import { createEmbedder } from '#engine/providers/embedding.ts';
import { createLocalEmbedder } from '#engine/providers/local/embedder.ts';
import type { MemoryOptions } from '#memory/memory.ts';

/**
 * The configured model, for `createMemory`; nothing when none is, and memory then searches by words. So it does with a model that was not
 * downloaded and a folder in which none is, and says why.
 */
export function chooseEmbedder(
  loaded: Pick<LoadedConfig, 'config' | 'environment' | 'folder' | 'home'>,
): Pick<MemoryOptions, 'embedder' | 'embedderMissing'> {
  const { config, environment } = loaded;
  const { embedding } = config.memory;
  if (embedding === undefined) return {};
  if (embedding.provider !== 'local') {
    const { provider, model, baseUrl } = embedding;
    const reach = chooseModel({ provider, name: model, baseUrl }, environment);
    return { embedder: createEmbedder({ ...embedding, baseUrl: reach.baseUrl, apiKey: reach.apiKey }) };
  }
  const missing = modelToFetch(loaded);
  if (missing !== undefined)
    return { embedderMissing: `${missing} is not downloaded: run "parley memory download"` };
  try {
    const { dimensions, pooling, documentPrefix, queryPrefix } = embedding;
    const folder = localModelFolder(loaded) ?? '';
    return { embedder: createLocalEmbedder({ folder, dimensions, pooling, documentPrefix, queryPrefix }) };
  } catch (error) {
    if (codeOf(error) !== 'model_folder') throw error;
    return { embedderMissing: errorMessage(error) };
  }
}
