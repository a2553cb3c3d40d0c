// An embedding model in a folder of this machine, as the memory calls it: in a separate thread, through @huggingface/transformers where that is installed.
import { ParleyError } from '#base/errors.ts';
import { createOnDemandThread } from '#base/threads/on-demand-thread.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import type { LocalAnswer, LocalAsked, LocalModelData } from './calls.ts';
import { readModelFolder } from './model-folder.ts';

export interface LocalEmbeddingSettings {
  /** Absolute path. */
  folder: string;
  /** The folder's own when absent. */
  dimensions?: number | undefined;
  pooling: 'mean' | 'cls';
  documentPrefix: string;
  queryPrefix: string;
  /** Where the package is looked for from; this file when absent. */
  from?: string | undefined;
}

/** Room for new objects of its thread: what the model works on is not among them. */
const youngMiB = 12;
/** Texts of one call: a question that comes in the meantime waits for it. */
const textsAtOnce = 16;
/** What installs the package next to Parley; its install scripts only fetch what graphics cards need. */
export const modelInstaller = 'npm install --no-save --ignore-scripts @huggingface/transformers@4';

/**
 * The model in the folder; throws a ParleyError `model_folder` for one that is none. Nothing is loaded before the first text. Calls reject
 * with a ParleyError `embedding_failed` with a message: without the package with how it is installed, and never with the folder's whole path.
 */
export function createLocalEmbedder(settings: LocalEmbeddingSettings): Embedder {
  const { folder, pooling, documentPrefix, queryPrefix, from = import.meta.url } = settings;
  const { path, name, dimensions, tokens, precision } = readModelFolder(folder, settings.dimensions);
  const thread = createModelThread({ from, path, precision, tokens, pooling });
  const lines = [
    name,
    ...(pooling === 'mean' ? [] : [pooling]),
    ...(documentPrefix === '' ? [] : [`after ${documentPrefix}`]),
  ];
  return {
    identity: { provider: 'local', model: lines.join(' '), dimensions },
    atOnce: textsAtOnce,
    async embed(texts, { purpose, signal }) {
      const prefix = purpose === 'document' ? documentPrefix : queryPrefix;
      const answer = await thread.call(
        texts.map((text) => `${prefix}${text}`),
        signal,
      );
      if (answer.kind === 'vectors') return answer.vectors;
      const words = answer.words.split('\n')[0]?.replaceAll(path, name) ?? '';
      throw answer.missing
        ? new ParleyError(
            'embedding_failed',
            `@huggingface/transformers is not installed or does not load; ${modelInstaller}`,
            {
              hint: `Run "${modelInstaller}" in Parley's folder.`,
            },
          )
        : new ParleyError(
            'embedding_failed',
            `the local model "${name}" failed: ${words.replace(/\.$/, '')}`,
          );
    },
    close: () => thread.end(),
  };
}

/** The thread, as calls that give vectors or say why not. */
function createModelThread(data: LocalModelData) {
  let calls = 0;
  const waiting = new Map<number, (answer: LocalAnswer) => void>();
  const settleAll = (words: string): void => {
    for (const [id, settle] of [...waiting]) settle({ id, kind: 'failure', missing: false, words });
  };
  const thread = createOnDemandThread<LocalAnswer>({
    file: new URL('./worker.ts', import.meta.url),
    data,
    youngMiB,
    received: (answer) => waiting.get(answer.id)?.(answer),
    died: (why) => settleAll(`its thread ended: ${why}`),
  });
  return {
    call(texts: readonly string[], signal: AbortSignal): Promise<LocalAnswer> {
      const id = calls;
      calls += 1;
      return new Promise((resolve, reject) => {
        const left = (): void => {
          waiting.delete(id);
          signal.removeEventListener('abort', abort);
          if (waiting.size === 0) thread.rest();
        };
        const abort = (): void => {
          left();
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        waiting.set(id, (answer) => {
          left();
          resolve(answer);
        });
        signal.addEventListener('abort', abort, { once: true });
        thread.ask({ id, texts } satisfies LocalAsked);
      });
    },
    async end(): Promise<void> {
      settleAll('it was closed');
      await thread.end();
    },
  };
}
