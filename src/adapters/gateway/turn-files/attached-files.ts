// What the model is given of each file that came: its text, the file itself, or its name; and what the person reads about it.
import { createHash } from 'node:crypto';
import type { FileOutcome } from '#adapters/gateway/ledger/inbox/received-files.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { AttachDeps, AttachedFile, FileRoom } from '#adapters/gateway/turn-prompt/attached-file.ts';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { readTextUpload } from '#adapters/uploads/text-content.ts';
import { documentFormat } from '#base/documents/document-format.ts';
import { anySignal } from '#base/waiting/async.ts';
import { fileNote, fileTextNote } from '#engine/wire/channels/notes.ts';
import { closedReason, documentFile, unreadFile, unseenText } from './document-files.ts';
import { refusalText } from './receive-files.ts';
import { isAudio, transcribedFile } from './transcribed-files.ts';

/** Characters of one text file that go into a prompt, and of all in a turn. */
const maxText = 40_000;
const maxTextInTurn = 60_000;
/** Bytes of files that a turn shows to the model: their base64 has to fit into one request. */
const maxBytesInTurn = 14 * 1024 * 1024;
const maxFilesInTurn = 20;

/** The full budget of a turn for attached files. */
export function freshRoom(): FileRoom {
  return { text: maxTextInTurn, bytes: maxBytesInTurn, files: maxFilesInTurn };
}

/** Attaches files to the prompt in their order; a file that does not fit is only named. */
export async function attachFiles(
  outcomes: readonly FileOutcome[],
  room: FileRoom,
  deps: AttachDeps,
): Promise<readonly AttachedFile[]> {
  const files: AttachedFile[] = [];
  for (const outcome of outcomes) files.push(await attach(outcome, room, deps));
  return files;
}

async function attach(outcome: FileOutcome, room: FileRoom, deps: AttachDeps): Promise<AttachedFile> {
  const { name } = outcome;
  const { answers } = deps.phrases;
  if (outcome.status === 'refused') {
    return {
      note: fileNote(`that could not be taken: ${name}: ${outcome.words}`),
      problem: answers.notTaken({ name, why: refusalText(outcome, deps.phrases) }),
    };
  }
  const { mime, bytes, path } = outcome;
  const about = `${name} (${mime}, ${formatBytes(bytes)})`;
  const absolute = await deps.uploads.find(path);
  const format = documentFormat({ mime, name });
  const asDocument = format !== undefined;
  if (outcome.form === 'text' && !asDocument) {
    const limit = Math.min(maxText, room.text);
    const content = absolute === undefined ? undefined : await readTextUpload(absolute, { bytes, limit });
    if (content !== undefined && (content.text !== '' || bytes === 0)) {
      room.text -= content.text.length;
      return withText({ about, name }, content, deps.phrases);
    }
  }
  if (isAudio(outcome) && absolute !== undefined) {
    const words = await transcribedFile({ ...outcome, absolute }, room, deps);
    if (words !== undefined) return words;
  }
  const fits = room.files > 0 && bytes <= room.bytes;
  const url =
    fits && absolute !== undefined ? await shownAt({ path, absolute, mime, bytes }, deps) : undefined;
  if (url !== undefined) {
    room.files -= 1;
    room.bytes -= bytes;
    return { note: fileNote(about), part: { type: 'file', mime, filename: name, url } };
  }
  if (absolute !== undefined && asDocument && room.text > 0) {
    const limit = Math.min(maxText, room.text);
    const document = await documentFile({ ...outcome, absolute, format }, limit, deps);
    room.text -= document?.chars ?? 0;
    if (document !== undefined) return document;
  }
  const why = absolute === undefined ? undefined : await closedReason({ ...outcome, absolute });
  if (why !== undefined) return unreadFile(outcome, why, deps.phrases);
  return {
    note: fileNote(`that cannot be read here: ${about}`),
    problem: unseenText(outcome, deps.phrases),
  };
}

/** Where the model finds the file; undefined when it is not shown it. */
async function shownAt(
  { path, absolute, mime, bytes }: { path: string; absolute: string; mime: string; bytes: number },
  { engine, agent, signal, stopped }: AttachDeps,
): Promise<string | undefined> {
  using waits = anySignal(signal, stopped);
  try {
    if (!(await engine.takesFile({ mime, bytes, agent }, { signal: waits.signal }))) return undefined;
    return await engine.keepUpload({ path, file: absolute }, waits.signal);
  } catch (error) {
    if (signal.aborted || !stopped.aborted) throw error;
    return undefined;
  }
}

function withText(
  { about, name }: { about: string; name: string },
  { text, missingBytes }: { text: string; missingBytes: number },
  { answers }: Phrases,
): AttachedFile {
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const cut = missingBytes > 0;
  const end = cut ? `the rest of the file, ${formatBytes(missingBytes)}, was left out` : 'end of the file';
  return {
    note: fileTextNote(about, text, { mark, end }),
    ...(cut ? { problem: answers.cut({ name, bytes: missingBytes }) } : {}),
  };
}
