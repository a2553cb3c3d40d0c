// The files of an answer before they are sent: what the platform will not take is said in words instead. Not the sending.
import { stat } from 'node:fs/promises';
import type { Channel } from '#adapters/gateway/channel.ts';
import { filePart, unsent } from '#adapters/gateway/file-part.ts';
import type { Part } from '#adapters/text/part.ts';
import { safeName } from '#adapters/uploads/safe-name.ts';
import { sizeWords } from '#adapters/uploads/size-words.ts';
import { sniff } from '#adapters/uploads/sniff.ts';
import { either } from '#base/async.ts';
import { codeOf } from '#base/errors.ts';
import type { Artifact } from '#engine/wire/artifact.ts';
import type { Engine } from '#engine/wire/contract.ts';

/** Files of one answer that are sent; of more it is said that there are more. */
const mostFiles = 10;

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
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const file of files.slice(0, mostFiles)) parts.push(...(await outgoing(file, to)));
  const left = files.length - mostFiles;
  return left > 0 ? [...parts, ...to.channel.render(`⚠️ ${left} more files were made and not sent.`)] : parts;
}

async function outgoing(
  artifact: Artifact,
  { channel: { caps, render }, engine, signal, stopped }: Parameters<typeof outgoingFiles>[1],
): Promise<Part[]> {
  const name = safeName(artifact.name);
  if (caps.files === undefined) return render(unsent(name, 'files cannot be sent here'));
  using waits = either(signal, stopped);
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
    const sizes = `it has ${sizeWords(found.size)}, and at most ${sizeWords(limitBytes)} can be sent here`;
    return render(unsent(name, sizes));
  }
  const { mime } = await sniff(path, { name });
  return [filePart({ path, name, mime, bytes: found.size })];
}
