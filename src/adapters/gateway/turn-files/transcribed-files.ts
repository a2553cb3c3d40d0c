// Audio that came with a message, as the words that are spoken in it.
import { createHash } from 'node:crypto';
import type { FileOutcome } from '#adapters/gateway/ledger/inbox/received-files.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { AttachDeps, AttachedFile, FileRoom } from '#adapters/gateway/turn-prompt/attached-file.ts';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { truncate } from '#base/text.ts';
import { anySignal } from '#base/waiting/async.ts';
import { fileNote, fileTextNote } from '#engine/wire/channels/notes.ts';
import type { Transcription } from '#engine/wire/runs/transcription.ts';

/** A file that is stored, with its place on this machine. */
type StoredAudio = Extract<FileOutcome, { status: 'stored' }> & { absolute: string };

/** Characters of one transcript: an hour of quick speech. */
const maxTranscript = 60_000;

/** True for a voice message and for any file of type audio. */
export function isAudio({ mime, voice }: Pick<StoredAudio, 'mime' | 'voice'>): boolean {
  return voice === true || mime.startsWith('audio/');
}

/**
 * The file with its words: of a voice message as the sender's own, of any other file as its text. Without words a note and a sentence
 * for the person that say why. Undefined when no model is configured and the file is no voice message: the answering model may take it.
 */
export async function transcribedFile(
  audio: StoredAudio,
  room: FileRoom,
  deps: AttachDeps,
): Promise<AttachedFile | undefined> {
  const { name, mime, bytes, voice } = audio;
  const about = `${name} (${mime}, ${formatBytes(bytes)})`;
  const outcome = await transcribed(audio, deps);
  if (outcome === undefined) return { note: fileNote(`that was not listened to: ${about}`) };
  if (outcome.status === 'off' && voice !== true) return undefined;
  if (outcome.status !== 'done') {
    const problem = problemOf(outcome, { name, phrases: deps.phrases });
    return { note: fileNote(`that could not be listened to: ${about}`), problem };
  }
  if (outcome.text === '')
    return {
      note: fileNote(`in which nobody speaks: ${about}`),
      problem: deps.phrases.answers.noSpeech({ name }),
    };
  const text = truncate(outcome.text, Math.min(maxTranscript, Math.max(room.text, 1_000)));
  room.text = Math.max(0, room.text - text.length);
  if (voice === true)
    return { note: fileNote(`whose words are the text of this message: ${about}`), spoken: text };
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { note: fileTextNote(`${about}, its words written down`, text, { mark, end: 'end of the words' }) };
}

/** Undefined when the person stopped the answer first. */
async function transcribed(
  { path, absolute, mime, name, seconds }: StoredAudio,
  { engine, phrases, signal, stopped }: AttachDeps,
): Promise<Transcription | undefined> {
  using waits = anySignal(signal, stopped);
  try {
    const url = await engine.keepUpload({ path, file: absolute }, waits.signal);
    if (url === undefined) return { status: 'failed', error: `${phrases.answers.notBroughtInTime}.` };
    return await engine.transcribe(
      { url, mime, filename: name, ...(seconds !== undefined && { seconds }) },
      { signal: waits.signal },
    );
  } catch (error) {
    if (signal.aborted || !stopped.aborted) throw error;
    return undefined;
  }
}

function problemOf(
  outcome: Exclude<Transcription, { status: 'done' }>,
  { name, phrases: { answers } }: { name: string; phrases: Phrases },
): string {
  switch (outcome.status) {
    case 'off':
      return answers.noTranscription({ name });
    case 'too_long':
      return answers.tooLongToHear({ name, seconds: outcome.limit.seconds, bytes: outcome.limit.bytes });
    case 'failed':
      return answers.notHeard({ name, why: outcome.error });
  }
}
