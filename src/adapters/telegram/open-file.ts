// A file that came with a message, as a stream that ends at a limit. The link holds the token and never leaves here.
import { GrammyError } from 'grammy';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import { isPassing } from '#adapters/uploads/file-host.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { isAbort } from '#base/waiting/async.ts';
import { type Client, forGrammy } from './calls/client.ts';

interface OpenFile {
  client: Client;
  token: string;
  apiUrl: string;
  file: FileRef;
  limitBytes: number;
  signal: AbortSignal;
}

/**
 * Opens a download of a Telegram file as a stream. Throws a ParleyError `file_too_large` beyond the limit, else `file_unavailable` or
 * `file_unreachable` (worth another try).
 */
export async function openFile(options: OpenFile): Promise<ReadableStream<Uint8Array>> {
  const { client, file, limitBytes, signal } = options;
  const known = await described(client, file, signal);
  if ((known.file_size ?? 0) > limitBytes) throw tooLarge(limitBytes);
  if (known.file_path === undefined)
    throw new ParleyError(
      'file_unavailable',
      'Telegram gave no path to the file; ask for it to be sent again.',
    );
  const response = await download(options, known.file_path);
  if (!response.ok || response.body === null)
    throw new ParleyError(
      isPassing(response.status) ? 'file_unreachable' : 'file_unavailable',
      `Telegram did not hand out the file (HTTP ${response.status}).`,
    );
  return response.body.pipeThrough(atMost(limitBytes), { signal });
}

async function described(client: Client, file: FileRef, signal: AbortSignal) {
  try {
    return await client.api.getFile(file.id, forGrammy(signal));
  } catch (error) {
    if (!(error instanceof GrammyError) || !/file is too big/i.test(error.description)) throw error;
    throw new ParleyError('file_too_large', 'Telegram hands out files of at most 20 MB to bots.');
  }
}

async function download(options: OpenFile, path: string): Promise<Response> {
  try {
    // a redirect could lead into this machine or its network
    const how = { redirect: 'manual', signal: options.signal } as const;
    return await fetch(`${options.apiUrl}/file/bot${options.token}/${path}`, how);
  } catch (error) {
    if (isAbort(error, options.signal)) throw error;
    const why = codeOf(error instanceof Error ? error.cause : undefined) ?? 'no answer';
    throw new ParleyError('file_unreachable', `The file could not be fetched from Telegram (${why}).`);
  }
}

function atMost(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > limitBytes) controller.error(tooLarge(limitBytes));
      else controller.enqueue(chunk);
    },
  });
}

function tooLarge(limitBytes: number): ParleyError {
  return new ParleyError('file_too_large', `The file is larger than the ${limitBytes} bytes that are taken.`);
}
