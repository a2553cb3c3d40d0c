// Files that came with messages, fetched with the bot's token and capped. Not uploads.
import type { FileRef } from '#adapters/gateway/inbound.ts';
import { fileUrlOf } from '#adapters/uploads/file-host.ts';
import { ParleyError } from '#base/errors.ts';

interface OpenFile {
  botToken: string;
  /** Besides slack.com, the host that may be shown the token. */
  apiUrl?: string | undefined;
}

const hosts = ['slack.com', '.slack.com', 'slack-files.com', '.slack-files.com'];

/**
 * The file's bytes. Slack answers a request that may not read the file with HTTP 200 and its sign-in page: that is an
 * error `slack_file_scope`, as is a redirect there. More than `limitBytes` ends the stream with `file_too_large`.
 */
export async function openFile(
  file: FileRef,
  limits: { limitBytes: number; signal: AbortSignal },
  { botToken, apiUrl }: OpenFile,
): Promise<ReadableStream<Uint8Array>> {
  const { limitBytes, signal } = limits;
  // the token goes to no other server
  const url = fileUrlOf(file.id, { platform: 'Slack', hosts, apiUrl });
  if (file.size !== undefined && file.size > limitBytes) throw tooLarge(file, limitBytes);
  const headers = { Authorization: `Bearer ${botToken}` };
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  const html = response.headers.get('content-type')?.includes('text/html') === true;
  const large =
    Number(response.headers.get('content-length')) > limitBytes ? tooLarge(file, limitBytes) : undefined;
  const refusal = refusalOf(response, file) ?? (html ? htmlRefusal(file) : undefined) ?? large;
  if (refusal !== undefined || response.body === null) {
    await response.body?.cancel();
    throw refusal ?? new ParleyError('slack_file', `${nameOf(file)} came without content.`);
  }
  const measure = measured(file, { limitBytes, exact: html ? file.size : undefined });
  return response.body.pipeThrough(notThePage(file)).pipeThrough(measure);
}

function refusalOf(response: Response, file: FileRef): ParleyError | undefined {
  const { status } = response;
  if ((status >= 300 && status < 400) || status === 401 || status === 403) return signInPage(file);
  if (status === 200) return undefined;
  const passing = status === 429 || status >= 500;
  return new ParleyError(
    passing ? 'file_unreachable' : 'slack_file',
    `Slack answered with HTTP status ${status} for ${nameOf(file)}.`,
  );
}

/** A page where something else was sent; where a page was sent, only its length distinguishes it from the sign-in page. */
function htmlRefusal(file: FileRef): ParleyError | undefined {
  return file.mime?.includes('html') === true && file.size !== undefined ? undefined : signInPage(file);
}

function signInPage(file: FileRef): ParleyError {
  return new ParleyError('slack_file_scope', `Slack sent its sign-in page instead of ${nameOf(file)}.`, {
    hint: 'Add the scope files:read under OAuth & Permissions and install the app again.',
  });
}

/** Slack's headers are not all there is to go by: a stream that begins like a page, where another file was sent, fails. */
function notThePage(file: FileRef): TransformStream<Uint8Array, Uint8Array> {
  const textual = file.mime === undefined || /^text\/|html|xml|json|script/.test(file.mime);
  let begun = textual;
  return new TransformStream({
    transform(chunk, controller) {
      const head = begun ? '' : new TextDecoder().decode(chunk.subarray(0, 512));
      begun = true;
      if (/^\s*<(!doctype\s+html|html)[\s>]/i.test(head)) controller.error(signInPage(file));
      else controller.enqueue(chunk);
    },
  });
}

function measured(
  file: FileRef,
  { limitBytes, exact }: { limitBytes: number; exact: number | undefined },
): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (exact !== undefined && size > exact) controller.error(signInPage(file));
      else if (size > limitBytes) controller.error(tooLarge(file, limitBytes));
      else controller.enqueue(chunk);
    },
    flush(controller) {
      if (exact !== undefined && size !== exact) controller.error(signInPage(file));
    },
  });
}

function tooLarge(file: FileRef, limitBytes: number): ParleyError {
  return new ParleyError('file_too_large', `${nameOf(file)} has more than ${limitBytes} bytes.`, {
    hint: 'Send a smaller file.',
  });
}

function nameOf(file: FileRef): string {
  return file.name === undefined ? 'the file' : JSON.stringify(file.name);
}
