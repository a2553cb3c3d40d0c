// Files between channels and an engine somewhere else: what people sent goes there, what runs wrote comes here.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';
import { anySignal } from '#base/waiting/async.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { ArtifactCopies } from './artifact-copies.ts';
import { createFetchArtifact } from './fetch-artifact.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { createSendUpload } from './send-upload.ts';
import type { Transfers } from './transfers.ts';

interface RemoteFilesOptions {
  client: ParleyClient;
  copies: ArtifactCopies;
  transfers: Transfers;
  calls: RemoteCalls;
  clock: Clock;
  closing: AbortSignal;
}

/** After these the message continues without its file. */
const notTaken = ['upload_too_large', 'upload_refused', 'uploads_off', 'file_not_brought'];

/** The part of the engine that moves files. */
export function createRemoteFiles(options: RemoteFilesOptions): Pick<Engine, 'keepUpload' | 'artifactFile'> {
  const { client, copies, transfers, clock, closing } = options;
  const { call, unless } = options.calls;
  const sendUpload = createSendUpload({ client, clock });
  const fetchArtifact = createFetchArtifact({ client, clock });
  return {
    async keepUpload({ path, file }, signal) {
      const bytes = await readFile(file);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const there = await call(signal, (within) => client.uploads.look(path, sha256, within));
      if (there.url !== undefined) return there.url;
      let known: number | undefined = there.received;
      using both = anySignal(closing, signal);
      const upload = { group: path, what: 'A file that was sent to the bot', size: bytes.length };
      const put = transfers.within(upload, both.signal, (limit, progress) =>
        call(limit, (within) => {
          const received = known;
          known = undefined; // after an attempt it may be more
          return sendUpload({ path, bytes, sha256, received }, { ...within, progress });
        }),
      );
      const taken = await unless(notTaken, put);
      transfers.drop(path);
      return taken;
    },
    artifactFile: (artifact, signal) =>
      copies.of(artifact, async (part) => {
        const { id, runID, name, size } = artifact;
        using both = anySignal(closing, signal);
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
