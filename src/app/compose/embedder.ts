// The memory's embedding model, as the config names it. Not what it is used for.
import { resolve } from 'node:path';
import type { Loaded } from '#app/config/load.ts';
import { chooseModel } from '#app/model.ts';
import { codeOf, wordsOf } from '#base/errors.ts';
import { createEmbedder } from '#engine/providers/embedding.ts';
import { createLocalEmbedder } from '#engine/providers/local/embedder.ts';
import type { MemoryOptions } from '#memory/memory.ts';

/**
 * The configured model, for `createMemory`; nothing when none is, and memory then searches by words. So it does with a folder in which
 * no model is, and says why.
 */
export function chooseEmbedder({
  config: { memory },
  environment,
  folder,
}: Pick<Loaded, 'config' | 'environment' | 'folder'>): Pick<MemoryOptions, 'embedder' | 'embedderMissing'> {
  const { embedding } = memory;
  if (embedding === undefined) return {};
  if (embedding.provider !== 'local') {
    const { provider, model, baseUrl } = embedding;
    const reach = chooseModel({ provider, name: model, baseUrl }, environment);
    return { embedder: createEmbedder({ ...embedding, baseUrl: reach.baseUrl, apiKey: reach.apiKey }) };
  }
  try {
    return { embedder: createLocalEmbedder({ ...embedding, folder: resolve(folder, embedding.folder) }) };
  } catch (error) {
    if (codeOf(error) !== 'model_folder') throw error;
    return { embedderMissing: wordsOf(error) };
  }
}
