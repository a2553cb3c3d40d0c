// The client's calls that move files: what runs wrote comes, what prompts name goes.
import { rangeHeader } from './range-header.ts';
import { ParleyClientError, type Send, type Verbs, type Within } from './request.ts';

/** `artifacts` and `uploads` of the client. */
export function fileCalls({ get, json }: Pick<Verbs, 'get' | 'json'>, send: Send) {
  const uploadAt = (path: string): string => {
    const [channel = '', place = '', name = ''] = path.split('/');
    return `/upload/${encodeURIComponent(channel)}/${encodeURIComponent(place)}/${encodeURIComponent(name)}`;
  };
  return {
    artifacts: {
      bytes: async (id: string, within: Within = {}): Promise<Uint8Array> =>
        new Uint8Array(await (await send(`/artifact/${encodeURIComponent(id)}`, within)).arrayBuffer()),
      /** The file as a stream from byte `from` on, with status 206; from its beginning, with 200, when it is no longer the one with this `tag`. */
      open: (
        id: string,
        { from, tag }: { from: number; tag?: string },
        within: Within = {},
      ): Promise<Response> =>
        send(`/artifact/${encodeURIComponent(id)}`, {
          headers: from === 0 || tag === undefined ? {} : { range: `bytes=${from}-`, 'if-range': tag },
          timedOut: true,
          ...within,
        }),
    },
    /** Files that prompts may name; a path is `<channel>/<chat or person>/<name>`. */
    uploads: {
      /** The URL of a file that is there with this content (SHA-256 in hexadecimal). */
      find: (path: string, sha256: string, within: Within = {}) =>
        get<{ url: string }>(uploadAt(path), { sha256 }, within),
      /** The same; else how many bytes of it came before they were cut, which need not be sent again. */
      async look(
        path: string,
        sha256: string,
        within: Within = {},
      ): Promise<{ url: string } | { url?: undefined; received: number }> {
        try {
          return await get<{ url: string }>(uploadAt(path), { sha256 }, within);
        } catch (error) {
          if (!(error instanceof ParleyClientError) || error.code !== 'UPLOAD_NOT_FOUND') throw error;
          const { received } = error.details;
          return { received: typeof received === 'number' ? received : 0 };
        }
      },
      /**
       * Stores the bytes, of which those before `from` are there; the same ones twice are one file. `sent` is called with how many of
       * the others are on their way.
       */
      put: (
        path: string,
        file: { bytes: Uint8Array; sha256: string; from?: number; sent?: (bytes: number) => void },
        within: Within = {},
      ) =>
        json<{ url: string }>(uploadAt(path), {
          method: 'PUT',
          query: { sha256: file.sha256 },
          bytes: file.bytes.subarray(file.from ?? 0),
          headers: rangeHeader(file),
          sent: file.sent,
          timedOut: true,
          ...within,
        }),
    },
  };
}
