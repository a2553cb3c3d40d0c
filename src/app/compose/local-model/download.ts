// The files of an embedding model, from a hub into a folder: each whole and checked, and one that was cut continues where it stopped.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFileArrivals, type FileArrivals } from '#adapters/uploads/arrivals.ts';
import type { HubFile } from '#app/config/memory/known-models.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { ensureFolder } from '#base/files/files.ts';
import { backoffMs } from '#base/waiting/async.ts';
import { watchSilence } from '#base/waiting/silence.ts';
import { type HubModel, listModelFiles, openModelFile } from './hub.ts';

/** A hub that sends nothing for so long, in milliseconds, is asked again. */
const silentMs = 20_000;
/** So many attempts in a row that bring nothing end it. */
const maxAttempts = 4;
const pauses = { firstMs: 1_000, capMs: 15_000 };
/** Codes of a file that is not the one that was asked for. */
const contrary = new Set(['file_damaged', 'file_too_large', 'file_empty']);
/** Next to the model's own files. */
const arrivingFolder = '.arriving';

interface Download {
  model: HubModel;
  /** What is known of its files; the hub is asked when absent. */
  files?: readonly HubFile[] | undefined;
  /** Where they go; those that are there are not fetched again. */
  folder: string;
  clock: Clock;
  signal: AbortSignal;
  /** Bytes that are here, of all. */
  onProgress?: ((at: { done: number; total: number }) => void) | undefined;
}

/**
 * Resolves when all files are in the folder, the weights last, so that a folder with weights is whole. Rejects with a ParleyError
 * `model_download` with a message; the part of a large file that has arrived stays, and the next call continues from there.
 */
export async function downloadModel(download: Download): Promise<void> {
  const { model, folder, clock, signal, onProgress } = download;
  const files = download.files ?? (await listed(download));
  ensureFolder(join(folder, arrivingFolder));
  const arrivals = createFileArrivals(join(folder, arrivingFolder));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const file of files) {
    if (!existsSync(join(folder, file.path)))
      await persist({ model, clock, signal }, (progressed) =>
        fetchFile(file, { model, folder, arrivals, clock, signal }, (bytes) => {
          progressed();
          onProgress?.({ done: before + bytes, total });
        }),
      );
    before += file.bytes;
    onProgress?.({ done: before, total });
  }
}

function listed({ model, clock, signal }: Download): Promise<HubFile[]> {
  return persist({ model, clock, signal }, async (progressed) => {
    using silence = watchSilence({ clock, ms: silentMs, signal });
    const files = await listModelFiles(model, silence.signal);
    progressed();
    return files;
  });
}

/** Tries until it succeeds, or several attempts in a row brought nothing. */
async function persist<T>(
  { model, clock, signal }: Pick<Download, 'model' | 'clock' | 'signal'>,
  attempt: (progressed: () => void) => Promise<T>,
): Promise<T> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await attempt(() => {
        failed = 0;
      });
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof ParleyError ? error.code : undefined;
      if (code === 'model_download') throw error;
      if (code !== undefined && contrary.has(code))
        throw new ParleyError(
          'model_download',
          `${model.hub} sent other files of "${model.name}" than its commit has: ${errorMessage(error)}.`,
          {
            hint: 'Nothing of them was kept. Call it again; if it stays so, do not trust that hub.',
            cause: error,
          },
        );
      if (failed >= maxAttempts)
        throw new ParleyError(
          'model_download',
          `The model "${model.name}" did not come from ${model.hub}: ${reasonOf(error)}.`,
          {
            hint: 'Look at the network and call it again: it continues where it stopped. Or name a mirror with `memory.embedding.baseUrl`.',
            cause: error,
          },
        );
      await clock.sleep(backoffMs(Math.max(1, failed), pauses), signal);
    }
  }
}

interface Place extends Pick<Download, 'model' | 'folder' | 'clock' | 'signal'> {
  arrivals: FileArrivals;
}

/** One attempt at a file: from what came before, if anything did, to its place. */
async function fetchFile(
  file: HubFile,
  { model, folder, arrivals, clock, signal }: Place,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { path, bytes: size, sha256 } = file;
  using silence = watchSilence({ clock, ms: silentMs, signal });
  const begun = sha256 === undefined ? 0 : await arrivals.begun(sha256);
  const { body, from } = await openModelFile(model, {
    path,
    // of one that came whole and was not put into its place the last byte is requested
    from: Math.min(begun, size - 1),
    signal: silence.signal,
  });
  let bytes = from;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        silence.received();
        bytes += chunk.byteLength;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const how = {
    limitBytes: size,
    signal: silence.signal,
    ...(sha256 === undefined ? {} : { expected: { sha256, from } }),
  };
  await arrivals.arrive(counted, how, async (arrived) => {
    if (arrived.bytes < size) throw new Error(`only ${arrived.bytes} of ${size} bytes of ${path} came`);
    const isIt =
      sha256 === undefined ? (await gitBlobOf(arrived.path)) === file.gitBlob : arrived.hash === sha256;
    // the code with which nothing of it is kept
    if (!isIt) throw new ParleyError('file_damaged', `${path} has another content`);
    ensureFolder(dirname(join(folder, path)));
    await rename(arrived.path, join(folder, path));
  });
}

/** Of small files: those whose SHA-256 the hub does not say. */
async function gitBlobOf(path: string): Promise<string> {
  const content = await readFile(path);
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return codeOf(cause) ?? errorMessage(cause).replace(/\.$/, '');
}
