// The memory's embedding model, as the config names it. Not what it is used for.

import type { Environment } from '#app/config/environment.ts';
import type { Config } from '#app/config/schema.ts';
import { chooseModel } from '#app/model.ts';
import { createEmbedder } from '#engine/providers/embedding.ts';
import type { Embedder } from '#memory/terms/embedding.ts';

/** The configured model; undefined when none is, and memory then searches by words. */
export function chooseEmbedder(
  { memory: { embedding } }: Pick<Config, 'memory'>,
  environment: Environment,
): Embedder | undefined {
  if (embedding === undefined) return undefined;
  const { provider, model, baseUrl } = embedding;
  const reach = chooseModel({ provider, name: model, baseUrl }, environment);
  return createEmbedder({ ...embedding, baseUrl: reach.baseUrl, apiKey: reach.apiKey });
}
