// The thread of a local embedding model: onnxruntime computes in the calling thread, and a heartbeat may not wait for that. Loads what is in the folder and nothing else.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '#base/errors.ts';
import type { LocalAnswer, LocalAsked, LocalModelData } from './calls.ts';

/** Of the package what is used here; its types are not at hand where it is not installed. */
interface Package {
  env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    useFSCache: boolean;
    logLevel?: number;
    fetch?: unknown;
  };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extract>;
}
interface Extract {
  (
    texts: string[],
    options: { pooling: 'mean' | 'cls'; normalize: boolean },
  ): Promise<{ tolist(): number[][] }>;
  tokenizer: object;
}

/** The package's number for "only errors". */
const onlyErrors = 40;

class Missing extends Error {}

async function load({ from, path, precision, tokens }: LocalModelData): Promise<Extract> {
  const { env, pipeline } = await packageAt(from);
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useFSCache = false;
  env.logLevel = onlyErrors;
  env.fetch = () => Promise.reject(new Error('nothing is downloaded'));
  const options = { dtype: precision, device: 'cpu', local_files_only: true };
  const extract = await pipeline('feature-extraction', path, options);
  // not every tokenizer says itself how much its model takes, and one that is given more fails
  Object.defineProperty(extract.tokenizer, 'model_max_length', { value: tokens });
  return extract;
}

async function packageAt(from: string): Promise<Package> {
  try {
    // the module's own exports, which it documents
    return await import(pathToFileURL(createRequire(from).resolve('@huggingface/transformers')).href);
  } catch (cause) {
    throw new Missing(errorMessage(cause), { cause });
  }
}

const data = workerData as LocalModelData; // by embedder.ts alone
let model: Promise<Extract> | undefined;

parentPort?.on('message', ({ id, texts }: LocalAsked) => {
  const answer = (message: LocalAnswer): void => parentPort?.postMessage(message);
  model ??= Promise.resolve().then(() => load(data));
  const loading = model;
  loading
    .then((extract) => extract([...texts], { pooling: data.pooling, normalize: true }))
    .then((made) => answer({ id, kind: 'vectors', vectors: made.tolist() }))
    .catch((error: unknown) => {
      if (model === loading) model = undefined; // what is fixed in the meantime is found by the next call
      answer({ id, kind: 'failure', missing: error instanceof Missing, words: errorMessage(error) });
    });
});
