// Fetches a file of a run from an engine elsewhere into a file here, over a link that may be slow or cut: what came stays, the rest is asked for. Not where it lies.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';
import { watchSilence } from '#base/silence.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { Progress } from './transfers.ts';

/** A connection that brings nothing for so long is dead. */
const silenceMs = 10_000;

export interface FetchArtifactOptions {
  client: Pick<ParleyClient, 'artifacts'>;
  clock: Clock;
}

/** What came of a file before: the hash that the engine names it by, for the part that lies at a path. */
type Tags = Map<string, string>;

/**
 * Makes attempts at the file of the artifact `id`, into `path`. An attempt goes on where the last one ended, as long as the file is the
 * same; it resolves when all of it is there and on disk, and throws what ended the connection. A cut after some bytes is gone on from at once.
 */
export function createFetchArtifact({ client, clock }: FetchArtifactOptions) {
  const tags: Tags = new Map();

  const attempt = async (id: string, path: string, { signal, progress }: Attempt): Promise<void> => {
    using silence = watchSilence({ clock, ms: silenceMs, signal });
    const tag = tags.get(path);
    const had = tag === undefined ? 0 : await sizeOf(path);
    const rest = { from: had, ...(tag === undefined ? {} : { tag }) };
    const response = await client.artifacts.open(id, rest, { signal: silence.signal });
    const from = response.status === 206 ? had : 0;
    const total = from + Number(response.headers.get('content-length') ?? Number.NaN);
    const now = response.headers.get('etag') ?? '';
    tags.set(path, now);
    const handle = await open(path, from === 0 ? 'w' : 'a', 0o600);
    try {
      progress.bytes = from;
      for await (const chunk of response.body ?? []) {
        silence.heard();
        await handle.write(chunk);
        progress.bytes += chunk.byteLength;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (progress.bytes !== total) throw new DOMException('The file came in part.', 'AbortError');
    if (`"${await hashOf(path)}"` === now) return;
    tags.delete(path);
    await rm(path, { force: true });
    throw new DOMException('The file did not come as it was sent.', 'AbortError');
  };

  return async (id: string, path: string, how: Attempt): Promise<void> => {
    for (;;) {
      const before = how.progress.bytes;
      try {
        await attempt(id, path, how);
        tags.delete(path);
        return;
      } catch (error) {
        const isOn = how.progress.bytes > before && !how.signal.aborted;
        if (!isOn) throw error;
      }
    }
  };
}

interface Attempt {
  signal: AbortSignal;
  progress: Progress;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
