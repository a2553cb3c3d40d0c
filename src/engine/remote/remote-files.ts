// Files between channels and an engine elsewhere: what people sent goes there, what runs wrote comes here. Not the other calls.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { either } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { watchSilence } from '#base/silence.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { ArtifactCopies } from './artifact-copies.ts';
import { createFetchArtifact } from './fetch-artifact.ts';
import type { Transfers } from './transfers.ts';

export interface RemoteFilesOptions {
  client: ParleyClient;
  copies: ArtifactCopies;
  transfers: Transfers;
  /** Calls until the engine has answered. */
  call<T>(signal: AbortSignal | undefined, work: (within: { signal: AbortSignal }) => Promise<T>): Promise<T>;
  /** The same; undefined where the engine answers with one of these codes. */
  unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined>;
  clock: Clock;
  closing: AbortSignal;
}

/** An upload of which nothing is taken for so long is dead: what the machine's own buffers took is still on its way. */
const silenceMs = 30_000;
/** After these the message goes on without its file. */
const notTaken = ['upload_too_large', 'upload_refused', 'uploads_off', 'file_not_brought'];

/** The part of the engine that moves files. */
export function createRemoteFiles(options: RemoteFilesOptions): Pick<Engine, 'keepUpload' | 'artifactFile'> {
  const { client, copies, transfers, call, unless, clock, closing } = options;
  const fetchArtifact = createFetchArtifact({ client, clock });
  return {
    async keepUpload({ path, file }, signal) {
      const bytes = await readFile(file);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const known = call(signal, (within) => client.uploads.find(path, sha256, within));
      const there = await unless(['upload_not_found'], known);
      if (there !== undefined) return there.url;
      using both = either(closing, signal);
      const upload = { group: path, what: 'A file that was sent to the bot', size: bytes.length };
      const put = transfers.within(upload, both.signal, (limit, progress) =>
        call(limit, async (within) => {
          using silence = watchSilence({ clock, ms: silenceMs, signal: within.signal });
          const sent = (all: number): void => {
            progress.bytes = all;
            silence.heard();
          };
          return await client.uploads.put(path, { bytes, sha256, sent }, { signal: silence.signal });
        }),
      );
      const taken = await unless(notTaken, put);
      transfers.drop(path);
      return taken?.url;
    },
    artifactFile: (artifact, signal) =>
      copies.of(artifact, async (part) => {
        const { id, runID, name, size } = artifact;
        using both = either(closing, signal);
        const file = { group: runID, what: `The file ${name} of an answer`, size };
        const brought = transfers.within(file, both.signal, (limit, progress) =>
          call(limit, async (within) => {
            await fetchArtifact(id, part, { ...within, progress });
            return true;
          }),
        );
        return (await unless(['artifact_not_found'], brought)) ?? false;
      }),
  };
}
