// A local embedding model that is to be downloaded: shown while it comes, and before anything starts that would search with it.

import { fetchModel, modelToFetch } from '#app/compose/local-model/fetch-model.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { showProgress } from '#app/screen/progress.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import type { CommandInput } from './input.ts';

/** One step of the bar, in bytes. */
const mib = 1024 * 1024;

/** Downloads the model that the config names, with a bar; resolves with its folder. */
export async function showModelDownload(
  loaded: LoadedConfig,
  { json }: Pick<CommandInput, 'json'>,
  signal: AbortSignal,
): Promise<string> {
  const name = modelToFetch(loaded);
  const progress = showProgress(`MiB of ${name}`, json || name === undefined ? 'silent' : 'shown');
  try {
    return await fetchModel(loaded, {
      signal,
      onProgress: ({ done, total }) =>
        progress.update({ done: Math.round(done / mib), total: Math.max(1, Math.round(total / mib)) }),
    });
  } finally {
    progress.end();
  }
}

/** The same before a start, which continues without the model when it does not come; a stop ends the wait. */
export async function modelFirst(
  loaded: LoadedConfig,
  { json, print }: Pick<CommandInput, 'json' | 'print'>,
  stopped: { received: Promise<unknown> },
): Promise<void> {
  if (modelToFetch(loaded) === undefined) return;
  const end = new AbortController();
  void stopped.received.then(() => end.abort());
  try {
    await showModelDownload(loaded, { json }, end.signal);
  } catch (error) {
    if (end.signal.aborted) return;
    if (codeOf(error) !== 'model_download' && codeOf(error) !== 'folder_unusable') throw error;
    print(
      `WARNING: Memory is searched by words only: ${errorMessage(error)} ${hintOf(error) ?? ''}`.trimEnd(),
    );
  }
}
