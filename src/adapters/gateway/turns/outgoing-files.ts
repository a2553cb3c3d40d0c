// The files of an answer before they are sent: what the platform will not take is stated instead.
import { stat } from 'node:fs/promises';
import type { Channel } from '#adapters/gateway/channel.ts';
import { filePart, unsent } from '#adapters/gateway/file-part.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { sniff } from '#adapters/uploads/detect-type.ts';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { safeName } from '#adapters/uploads/safe-name.ts';
import { anySignal } from '#base/async.ts';
import { codeOf } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { Artifact } from '#engine/wire/artifact.ts';
import type { Engine } from '#engine/wire/contract.ts';

/** Files of one answer that are sent; of more it is said that there are more. */
const maxFiles = 10;

/** Characters below a file: Telegram takes 1,024, of which a note on a repeat needs some. */
const maxCaption = 900;

/** A part for each file of a run, in order: the file itself, or one line on why it is not sent. Nothing is sent to find that out. */
export async function outgoingFiles(
  files: readonly Artifact[],
  to: {
    channel: Pick<Channel, 'caps' | 'render'>;
    engine: Pick<Engine, 'artifactFile'>;
    signal: AbortSignal;
    /** Aborts when the person stops the answer: its files are not waited for. */
    stopped: AbortSignal;
  },
): Promise<MessagePart[]> {
  const parts: MessagePart[] = [];
  for (const file of files.slice(0, maxFiles)) parts.push(...(await outgoing(file, to)));
  const left = files.length - maxFiles;
  return left > 0 ? [...parts, ...to.channel.render(`⚠️ ${left} more files were made and not sent.`)] : parts;
}

async function outgoing(
  artifact: Artifact,
  { channel: { caps, render }, engine, signal, stopped }: Parameters<typeof outgoingFiles>[1],
): Promise<MessagePart[]> {
  const name = safeName(artifact.name);
  if (caps.files === undefined) return render(unsent(name, 'files cannot be sent here'));
  using waits = anySignal(signal, stopped);
  const path = await engine.artifactFile(artifact, waits.signal).catch((error: unknown) => {
    const isLate = codeOf(error) === 'file_not_brought';
    if (signal.aborted || (!isLate && !stopped.aborted)) throw error;
    return { why: isLate ? 'it could not be brought here in time' : 'you stopped me before it was here' };
  });
  if (typeof path !== 'string') return render(unsent(name, path.why));
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return render(unsent(name, 'it is not there any more'));
  if (found.size === 0) return render(unsent(name, 'it is empty'));
  const { limitBytes } = caps.files;
  if (found.size > limitBytes) {
    const sizes = `it has ${formatBytes(found.size)}, and at most ${formatBytes(limitBytes)} can be sent here`;
    return render(unsent(name, sizes));
  }
  const { mime } = await sniff(path, { name });
  const { caption, voice } = artifact;
  const words = caption === undefined ? undefined : truncate(caption, maxCaption);
  return [
    filePart({ path, name, mime, bytes: found.size, ...defined({ caption: words, alt: words, voice }) }),
  ];
}
