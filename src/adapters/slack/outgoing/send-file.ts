// One file as one Slack message, in Slack's three steps: a URL, the bytes, the completion that shows it. One attempt each.
import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { type OutgoingFile, readFileBytes } from '#adapters/gateway/terms/file-part.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { escapeSlack } from '#adapters/text/slack.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { isAbort } from '#base/waiting/async.ts';

/** Slack takes up to 1 GB; the file is held in memory while it is sent, which bounds it here. */
export const fileLimit = 100 * 1024 * 1024;

interface SlackFileCalls {
  call(method: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  signal: AbortSignal | undefined;
}

const urlSchema = z.object({ upload_url: z.url(), file_id: z.string() });

/**
 * Uploads a file, posts it and returns the file's id: Slack reports the message's own id only later, in an event. A failure before the
 * last step has posted nothing and says so: a ParleyError `file_unreachable` (try again), or what the SDK throws.
 */
export async function sendFile(
  file: OutgoingFile,
  { chat, thread }: Address,
  { call, signal }: SlackFileCalls,
): Promise<string> {
  const { name, caption, alt } = file;
  const bytes = await readFileBytes(file);
  const id = await unseen(async () => {
    const about = defined({ filename: name, length: bytes.length, alt_txt: alt });
    const asked = await call('files.getUploadURLExternal', about, signal);
    const { upload_url: url, file_id } = urlSchema.parse(asked);
    const headers = { 'Content-Type': file.mime };
    const response = await fetch(
      url,
      defined({ method: 'POST', headers, body: new Uint8Array(bytes), signal }),
    );
    await response.body?.cancel();
    if (!response.ok)
      throw new ParleyError(
        'file_unreachable',
        `Slack did not take the bytes (HTTP status ${response.status}).`,
      );
    return file_id;
  }, signal);
  const files = [{ id, title: name }];
  const place = defined({
    channel_id: chat,
    thread_ts: thread,
    initial_comment: caption && escapeSlack(caption),
  });
  await call('files.completeUploadExternal', { files, ...place }, signal);
  return id;
}

/** Work before anything is seen: where its outcome is unknown, nothing was posted all the same. */
async function unseen<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAbort(error, signal) || !explain(error).maybeDelivered) throw error;
    throw new ParleyError('file_unreachable', `The file did not reach Slack: ${errorMessage(error)}.`);
  }
}
