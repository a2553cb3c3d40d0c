// Files that came with messages, fetched with the bot's token and capped. Not uploads.
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
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
 * error `slack_file_scope`, as is a redirect there. A page that has as many bytes as the file is the file, whatever it is called. More than
 * `limitBytes` ends the stream with `file_too_large`.
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
  const unknown = html && file.size === undefined ? signInPage(file) : undefined;
  const refusal = refusalOf(response, file) ?? unknown ?? large;
  if (refusal !== undefined || response.body === null) {
    await response.body?.cancel();
    throw refusal ?? new ParleyError('slack_file', `${nameOf(file)} came without content.`);
  }
  return response.body.pipeThrough(measured(file, { limitBytes, html }));
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

function signInPage(file: FileRef): ParleyError {
  return new ParleyError('slack_file_scope', `Slack sent its sign-in page instead of ${nameOf(file)}.`, {
    hint: 'Add the scope files:read under OAuth & Permissions and install the app again.',
  });
}

/**
 * The bytes within the limit. A page has to be as long as the file, by which alone it differs from the sign-in page: by its header or, where
 * no text was sent, by how it begins, since Slack's headers are not all there is to go by.
 */
function measured(
  file: FileRef,
  { limitBytes, html }: { limitBytes: number; html: boolean },
): TransformStream<Uint8Array, Uint8Array> {
  const isText = file.mime === undefined || /^text\/|html|xml|json|script/.test(file.mime);
  let isPage = html;
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      if (size === 0 && !isText) isPage ||= beginsPage.test(new TextDecoder().decode(chunk.subarray(0, 512)));
      size += chunk.length;
      if (isPage && size > (file.size ?? 0)) controller.error(signInPage(file));
      else if (size > limitBytes) controller.error(tooLarge(file, limitBytes));
      else controller.enqueue(chunk);
    },
    flush(controller) {
      if (isPage && size !== file.size) controller.error(signInPage(file));
    },
  });
}

const beginsPage = /^\s*<(!doctype\s+html|html)[\s>]/i;

function tooLarge(file: FileRef, limitBytes: number): ParleyError {
  return new ParleyError('file_too_large', `${nameOf(file)} has more than ${limitBytes} bytes.`, {
    hint: 'Send a smaller file.',
  });
}

function nameOf(file: FileRef): string {
  return file.name === undefined ? 'the file' : JSON.stringify(file.name);
}
