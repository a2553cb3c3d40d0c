// Files on their way into the folder of uploads: written whole or not at all, and the beginning of one that was cut waits for its rest. Not their names.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, ParleyError } from '#base/errors.ts';
import { formatBytes } from './format-bytes.ts';

/** A file that has come, not yet under its name. */
export interface Arrived {
  path: string;
  hash: string;
  bytes: number;
}

/** A file whose content is known before it comes. */
export interface Expected {
  sha256: string;
  /** The stream begins with this byte of the file: so many came before, as `begun` said. */
  from: number;
}

export interface FileArrivals {
  /**
   * Writes the stream, on the disk when `place` makes a file of it; nothing stays of one that is refused, and what was cut of an
   * `expected` one stays for an hour. ParleyErrors `file_too_large`, `file_empty`, and `file_range` when not so much came before.
   */
  arrive<T>(
    stream: ReadableStream<Uint8Array>,
    how: { limitBytes: number; signal: AbortSignal; expected?: Expected },
    place: (arrived: Arrived) => Promise<T>,
  ): Promise<T>;
  /**
   * How many bytes of the file with this content came before they were cut. An attempt that still brings bytes is waited for, at
   * most 5 s, since its caller has lost it; one that has gone silent is ended.
   */
  begun(sha256: string): Promise<number>;
  /** Removes beginnings whose rest no longer comes. */
  sweep(): Promise<void>;
}

/** Nothing takes so long to arrive, in milliseconds: an attempt is given up after some minutes. */
const abandonedMs = 3_600_000;
/** An attempt that brings nothing for so long, in milliseconds, while the same file is asked after, has lost its connection. */
const silentMs = 1_000;
/** Longest wait for the end of other attempts, in milliseconds. */
const maxWaitMs = 5_000;
/** Failures that the rest of the bytes cannot fix: nothing is kept for them. */
const hopeless = new Set(['file_too_large', 'file_empty', 'file_range', 'file_damaged']);

interface Attempt {
  sha256: string;
  receivedAt: number;
  end: AbortController;
  over: Promise<void>;
}

/** Writes files that arrive into `folder`, which must exist. */
export function createFileArrivals(folder: string): FileArrivals {
  const attempts = new Set<Attempt>();
  const partOf = (sha256: string): string => join(folder, `${sha256}.part`);

  const sweep = async (): Promise<void> => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && found.mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true });
    }
  };
  /** Keeps what came, unless an earlier attempt brought more. */
  const shelve = async (path: string, sha256: string): Promise<void> => {
    if ((await sizeOf(path)) > (await sizeOf(partOf(sha256)))) await rename(path, partOf(sha256));
    await sweep();
  };
  /** Takes what came before as the beginning of a file of its own, so that no other attempt writes to it. */
  const claim = async (path: string, { sha256, from }: Expected): Promise<void> => {
    if ((await sizeOf(partOf(sha256))) < from)
      throw new ParleyError('file_range', `not so much of it is here: ${from} bytes were expected`);
    await rename(partOf(sha256), path);
    await chmod(path, 0o600);
  };

  return {
    sweep,
    async begun(sha256) {
      const until = performance.now() + maxWaitMs;
      for (const each of [...attempts]) {
        while (each.sha256 === sha256 && attempts.has(each) && performance.now() < until) {
          const left = silentMs - (performance.now() - each.receivedAt);
          if (left <= 0) each.end.abort(new DOMException('The file is sent again.', 'AbortError'));
          await (left <= 0 ? each.over : overWithin(each, left));
        }
      }
      return sizeOf(partOf(sha256));
    },
    async arrive(stream, { limitBytes, signal, expected }, place) {
      const path = join(folder, randomBytes(8).toString('hex'));
      const ended = Promise.withResolvers<void>();
      const end = new AbortController();
      const { sha256 = '', from = 0 } = expected ?? {};
      const attempt: Attempt = { sha256, receivedAt: performance.now(), end, over: ended.promise };
      if (expected !== undefined) attempts.add(attempt);
      try {
        if (expected !== undefined && from > 0) await claim(path, expected);
        const how = { path, from, limitBytes, signal: AbortSignal.any([signal, end.signal]) };
        const received = (): void => {
          attempt.receivedAt = performance.now();
        };
        return await place({ path, ...(await write(stream, { ...how, received })) });
      } catch (error) {
        if (expected !== undefined && !hopeless.has(codeOf(error) ?? '')) await shelve(path, sha256);
        throw error;
      } finally {
        attempts.delete(attempt);
        await rm(path, { force: true });
        ended.resolve();
      }
    },
  };
}

/** Streams into a file from a byte on, counting and hashing; on the disk when it resolves. */
async function write(
  stream: ReadableStream<Uint8Array>,
  how: { path: string; from: number; limitBytes: number; signal: AbortSignal; received(): void },
): Promise<{ bytes: number; hash: string }> {
  const { path, from, limitBytes, signal, received } = how;
  const hash = createHash('sha256');
  const handle = await open(path, from === 0 ? 'wx' : 'r+', 0o400);
  const reader = stream.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop);
  let bytes = from;
  try {
    await resumeAt(handle, { path, from, hash });
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      received();
      bytes += value.byteLength;
      if (bytes > limitBytes)
        throw new ParleyError(
          'file_too_large',
          `it is larger than the ${formatBytes(limitBytes)} that I take`,
        );
      hash.update(value);
      await handle.write(value, 0, value.byteLength, bytes - value.byteLength);
    }
    if (from > 0) await handle.chmod(0o400);
    await handle.sync();
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
  }
  if (bytes === 0) throw new ParleyError('file_empty', 'it is empty');
  return { bytes, hash: hash.digest('hex') };
}

/** Keeps the first `from` bytes of the file, which count towards its hash too. */
async function resumeAt(
  handle: FileHandle,
  { path, from, hash }: { path: string; from: number; hash: ReturnType<typeof createHash> },
): Promise<void> {
  if (from === 0) return;
  await handle.truncate(from);
  for await (const chunk of createReadStream(path)) hash.update(chunk);
}

/** Resolves when the attempt is over, or after `ms`. */
async function overWithin({ over }: Pick<Attempt, 'over'>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([over, late.promise]);
  clearTimeout(timer);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
