// The files of an answer before they are sent: what the platform will not take is replaced by a sentence.
import { stat } from 'node:fs/promises';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { filePart } from '#adapters/gateway/terms/file-part.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { sniff } from '#adapters/uploads/detect-type.ts';
import { safeName } from '#adapters/uploads/safe-name.ts';
import { codeOf } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { anySignal } from '#base/waiting/async.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';

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
    phrases: Phrases;
    signal: AbortSignal;
    /** Aborts when the person stops the answer: its files are not waited for. */
    stopped: AbortSignal;
  },
): Promise<MessagePart[]> {
  const parts: MessagePart[] = [];
  for (const file of files.slice(0, maxFiles)) parts.push(...(await outgoing(file, to)));
  const left = files.length - maxFiles;
  return left > 0 ? [...parts, ...to.channel.render(to.phrases.answers.moreUnsent({ n: left }))] : parts;
}

async function outgoing(
  artifact: Artifact,
  {
    channel: { caps, render },
    engine,
    phrases: { answers },
    signal,
    stopped,
  }: Parameters<typeof outgoingFiles>[1],
): Promise<MessagePart[]> {
  const name = safeName(artifact.name);
  const unsent = (why: string): MessagePart[] => render(answers.unsent({ name, why }));
  if (caps.files === undefined) return unsent(answers.cannotSendHere);
  using waits = anySignal(signal, stopped);
  const path = await engine.artifactFile(artifact, waits.signal).catch((error: unknown) => {
    const isLate = codeOf(error) === 'file_not_brought';
    if (signal.aborted || (!isLate && !stopped.aborted)) throw error;
    return { why: isLate ? answers.notBroughtInTime : answers.stoppedBefore };
  });
  if (typeof path !== 'string') return unsent(path.why);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return unsent(answers.missing);
  if (found.size === 0) return unsent(answers.empty);
  const { limitBytes } = caps.files;
  if (found.size > limitBytes) return unsent(answers.tooLargeToSend({ bytes: found.size, limitBytes }));
  const { mime } = await sniff(path, { name });
  const { caption, voice } = artifact;
  const words = caption === undefined ? undefined : truncate(caption, maxCaption);
  return [
    filePart({ path, name, mime, bytes: found.size, ...defined({ caption: words, alt: words, voice }) }),
  ];
}
