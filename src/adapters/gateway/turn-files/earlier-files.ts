// What was in a thread before, with the newest of its files. Text alone is in earlier.ts.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import type { AttachDeps, AttachedFile, FileRoom } from '#adapters/gateway/turn-prompt/attached-file.ts';
import { type EarlierNote, earlierIn } from '#adapters/gateway/turn-prompt/thread-history.ts';
import { errorMessage } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { attachFiles } from './attached-files.ts';
import { type ReceiveDeps, receiveEarlier } from './receive-files.ts';

/** Files of a thread that are fetched: the newest. The others are named with their messages. */
const maxFiles = 5;
/**
 * Characters of a thread with its text files and of what the person says about it: the engine shows 80,000 of a prompt, and what is asked
 * comes last.
 */
const maxPromptChars = 76_000;
/** An answer waits no longer than this for them, in milliseconds. */
const timeoutMs = 20_000;

/** The notes of `earlierIn`, those with files that are shown with these. What cannot be shown is named to the model, and the person reads that once. */
export async function earlierWithFiles(
  row: InboxRow,
  deps: AttachDeps & ReceiveDeps & { channel: Channel; fileRoom: FileRoom; ownChars: number },
): Promise<(EarlierNote & { attached: readonly AttachedFile[] })[]> {
  const characters = Math.max(0, maxPromptChars - deps.ownChars);
  const notes = await earlierIn(row, deps.channel, { ...deps, characters });
  const told = notes.reduce((sum, { note }) => sum + note.length, 0);
  deps.fileRoom.text = Math.min(deps.fileRoom.text, Math.max(0, characters - told));
  const newest = notes
    .flatMap(({ nativeID, files }) => files.map((file) => ({ nativeID, file })))
    .slice(-maxFiles);
  const attached = await fetchPatiently(
    row,
    newest.map(({ file }) => file),
    deps,
  );
  return notes.map((note) => ({
    ...note,
    attached: attached.filter((_, index) => newest[index]?.nativeID === note.nativeID),
  }));
}

async function fetchPatiently(
  row: InboxRow,
  files: readonly FileRef[],
  deps: AttachDeps & ReceiveDeps & { channel: Channel; fileRoom: FileRoom },
): Promise<readonly AttachedFile[]> {
  if (files.length === 0) return [];
  const { clock, signal, log, channel, fileRoom } = deps;
  try {
    const limit = { clock, ms: timeoutMs, what: 'Fetching the files of the thread', signal };
    const outcomes = await withTimeout(limit, (bounded) =>
      receiveEarlier({ row, files }, channel, { ...deps, signal: bounded }),
    );
    return await attachFiles(outcomes, fileRoom, deps);
  } catch (error) {
    if (signal.aborted) throw error;
    log.debug({ words: errorMessage(error) }, 'a thread was answered without its files');
    return [];
  }
}
