// Sends a file to an engine somewhere else over a link that may be slow or cut: what arrived stays there, the rest is sent.
import type { Clock } from '#base/clock.ts';
import { watchSilence } from '#base/waiting/silence.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import { ParleyClientError } from '#engine/client/request.ts';
import type { TransferProgress } from './transfers.ts';

/** An upload of which nothing is taken for so long is dead: what the machine's own buffers took is still on its way. */
const silenceMs = 30_000;

interface FileUpload {
  path: string;
  bytes: Uint8Array;
  sha256: string;
  /** So much of it is there, as the engine has just said; it is asked when absent. */
  received?: number | undefined;
}

/**
 * Makes attempts at the upload; resolves with its URL once all of it is there. An attempt continues where the last one ended, by what
 * the engine says that it has; one that ends after more has arrived is repeated at once; one that brought nothing throws what ended it.
 */
export function createSendUpload({ client, clock }: { client: Pick<ParleyClient, 'uploads'>; clock: Clock }) {
  const attempt = async (upload: FileUpload, { from, signal, progress }: Attempt): Promise<string> => {
    using silence = watchSilence({ clock, ms: silenceMs, signal });
    const { path, bytes, sha256 } = upload;
    const sent = (all: number): void => {
      progress.bytes = from + all;
      silence.received();
    };
    try {
      return (await client.uploads.put(path, { bytes, sha256, from, sent }, { signal: silence.signal })).url;
    } catch (error) {
      // of a file that came in pieces another try is made from its beginning
      const isTorn = error instanceof ParleyClientError && /^UPLOAD_(RANGE|REFUSED)$/.test(error.code);
      if (isTorn && from > 0) throw new DOMException('The file did not come as it was sent.', 'AbortError');
      throw error;
    }
  };

  return async (
    upload: FileUpload,
    how: { signal: AbortSignal; progress: TransferProgress },
  ): Promise<string> => {
    const { signal, progress } = how;
    let { received } = upload;
    let last: { from: number; error: unknown } | undefined;
    for (;;) {
      if (received === undefined) {
        const there = await client.uploads.look(upload.path, upload.sha256, { signal });
        if (there.url !== undefined) return there.url;
        received = there.received;
      }
      const from = received;
      received = undefined;
      if (last !== undefined && from <= last.from) throw last.error;
      try {
        return await attempt(upload, { from, signal, progress });
      } catch (error) {
        if (signal.aborted || error instanceof ParleyClientError) throw error;
        last = { from, error };
      }
    }
  };
}

interface Attempt {
  from: number;
  signal: AbortSignal;
  progress: TransferProgress;
}
