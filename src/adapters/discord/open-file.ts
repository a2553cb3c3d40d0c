// Reads the bytes of an attachment from Discord's CDN, up to a limit. The gateway stores them.

import { refreshedUrls } from '#adapters/discord/payloads/payload.ts';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import { fileUrlOf, isPassing } from '#adapters/uploads/file-host.ts';
import { ParleyError } from '#base/errors.ts';
import type { Rest } from './calls/rest.ts';

interface OpenFile {
  file: FileRef;
  limitBytes: number;
  signal: AbortSignal;
  /** Discord's interface, where it is not Discord's own. */
  apiUrl?: string | undefined;
}

/** Discord's servers of attachments and of stickers. */
const hosts = ['cdn.discordapp.com', 'media.discordapp.net'];

/**
 * The file's bytes. Links to attachments run out after about a day and are renewed once. Throws ParleyErrors
 * `file_unavailable`, `file_unreachable` (worth another try) and `file_too_large`; the stream fails with the last where the
 * size was not told.
 */
export async function openFile(rest: Rest, { file, limitBytes, signal, apiUrl }: OpenFile) {
  const get = (address: string): Promise<Response> =>
    fetch(fileUrlOf(address, { platform: 'Discord', hosts, apiUrl }), { redirect: 'manual', signal });
  let response = await get(file.id);
  if (response.status === 403 || response.status === 404) {
    await response.body?.cancel();
    response = await get(await renewed(rest, file.id));
  }
  const name = file.name ?? 'the file';
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new ParleyError(
      isPassing(response.status) ? 'file_unreachable' : 'file_unavailable',
      `Discord does not hand out ${name} any more (status ${response.status}); please send it again.`,
    );
  }
  const size = Number(response.headers.get('content-length') ?? 0);
  if (size > limitBytes) {
    await response.body.cancel();
    throw tooLarge(name, limitBytes);
  }
  return response.body.pipeThrough(capped(name, limitBytes));
}

async function renewed(rest: Rest, url: string): Promise<string> {
  const answer = await rest().post('/attachments/refresh-urls', { body: { attachment_urls: [url] } });
  return refreshedUrls.parse(answer).refreshed_urls[0]?.refreshed ?? url;
}

function capped(name: string, limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > limitBytes) controller.error(tooLarge(name, limitBytes));
      else controller.enqueue(chunk);
    },
  });
}

function tooLarge(name: string, limitBytes: number): ParleyError {
  return new ParleyError('file_too_large', `Expected at most ${limitBytes} bytes, but ${name} has more.`, {
    hint: 'Send a smaller file.',
  });
}
