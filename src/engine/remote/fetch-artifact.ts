// Fetches a file of a run from an engine somewhere else into a file here, over a link that may be slow or cut: what has arrived stays, the rest is asked for.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';
import { watchSilence } from '#base/waiting/silence.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { TransferProgress } from './transfers.ts';

/** A connection that brings nothing for so long is dead. */
const silenceMs = 10_000;

interface FetchArtifactOptions {
  client: Pick<ParleyClient, 'artifacts'>;
  clock: Clock;
}

/** The file of which a part lies at a path: by the hash that the engine names it by, and its size. */
interface Begun {
  tag: string;
  total: number;
}

/**
 * Makes attempts at the file of the artifact `id`, into `path`. An attempt continues where the last one ended, as long as the file is the
 * same; it resolves when all of it is there and on disk, and throws what ended the connection. After a cut with some new bytes it continues at once.
 */
export function createFetchArtifact({ client, clock }: FetchArtifactOptions) {
  const begun = new Map<string, Begun>();

  const attempt = async (id: string, path: string, { signal, progress }: Attempt): Promise<void> => {
    const before = begun.get(path);
    const had = before === undefined ? 0 : await sizeOf(path);
    // a connection may be cut after the last byte
    const file =
      before?.total === had ? before : await bringRest(id, path, { signal, progress, before, had });
    if (`"${await hashOf(path)}"` === file.tag) return;
    begun.delete(path);
    await rm(path, { force: true });
    throw new DOMException('The file did not come as it was sent.', 'AbortError');
  };

  const bringRest = async (
    id: string,
    path: string,
    { signal, progress, before, had }: Attempt & { before: Begun | undefined; had: number },
  ): Promise<Begun> => {
    using silence = watchSilence({ clock, ms: silenceMs, signal });
    const rest = { from: had, ...(before === undefined ? {} : { tag: before.tag }) };
    const response = await client.artifacts.open(id, rest, { signal: silence.signal });
    const from = response.status === 206 ? had : 0;
    const total = from + Number(response.headers.get('content-length') ?? Number.NaN);
    const file = { tag: response.headers.get('etag') ?? '', total };
    begun.set(path, file);
    const handle = await open(path, from === 0 ? 'w' : 'a', 0o600);
    try {
      progress.bytes = from;
      for await (const chunk of response.body ?? []) {
        silence.received();
        await handle.write(chunk);
        progress.bytes += chunk.byteLength;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (progress.bytes !== total) throw new DOMException('The file came in part.', 'AbortError');
    return file;
  };

  return async (id: string, path: string, how: Attempt): Promise<void> => {
    for (;;) {
      const before = how.progress.bytes;
      try {
        await attempt(id, path, how);
        begun.delete(path);
        return;
      } catch (error) {
        const isOn = how.progress.bytes > before && !how.signal.aborted;
        if (how.signal.aborted) begun.delete(path);
        if (!isOn) throw error;
      }
    }
  };
}

interface Attempt {
  signal: AbortSignal;
  progress: TransferProgress;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
