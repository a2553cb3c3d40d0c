// The journal of memory events: one JSON object a line, in each audience's folder, for programs that follow what memory does. It holds ids and
// counts, never a word of a memory, and is no source of one.
import { constants } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { MemoryEvent, NoteMemoryEvent } from '#memory/types/dreaming.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import { ensureAudienceFolder, notesFolder } from './audience-folder.ts';
import { readRefusal } from './read-text.ts';

export const eventLogFile = 'events.jsonl';
/** What is older. */
export const olderEventLogFile = 'events.1.jsonl';
/** A log of so many bytes becomes the older one, and that one goes. */
const usualMaxBytes = 512 * 1024;

export interface MemoryEventLog {
  /** Appends the event soon; what fails is a problem, and nothing waits for it. */
  note: NoteMemoryEvent;
  /** Logs that could not be written when it was last tried. */
  problems(): { path: string; words: string }[];
  /** Resolves once all that was noted is written. */
  written(): Promise<void>;
}

/** Below the folder of memory files. */
export function createMemoryEventLog({
  root,
  clock,
  maxBytes = usualMaxBytes,
}: {
  root: string;
  clock: Clock;
  maxBytes?: number | undefined;
}): MemoryEventLog {
  const failed = new Map<string, string>();
  let last = Promise.resolve();

  const append = async (event: MemoryEvent): Promise<void> => {
    const { name } = await ensureAudienceFolder(root, event.audience, clock);
    const folder = join(root, name, notesFolder);
    const path = join(folder, eventLogFile);
    const line = `${JSON.stringify({ ...event, at: new Date(event.at).toISOString() })}\n`;
    const about = await lstat(path).catch(() => undefined);
    // a log that is too large makes room, and is not refused
    const refused = about && readRefusal(about, Number.POSITIVE_INFINITY);
    if (refused !== undefined) throw new Error(refused);
    if (about !== undefined && about.size + line.length > maxBytes)
      await rename(path, join(folder, olderEventLogFile));
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
    const handle = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      await handle.appendFile(line);
    } finally {
      await handle.close();
    }
  };

  return {
    note(event) {
      const path = `${folderNameOf(event.audience)}/${notesFolder}/${eventLogFile}`;
      last = last
        .then(() => append(event))
        .then(
          () => void failed.delete(path),
          (error: unknown) => void failed.set(path, `could not be written (${errorMessage(error)})`),
        );
    },
    problems: () => [...failed].map(([path, words]) => ({ path, words })),
    written: () => last,
  };
}

/** Lines of a log that are about one of these runs, candidates or promotions. */
export function eventLinesOf(text: string, ids: ReadonlySet<string>): string[] {
  return text.split('\n').filter((line) => {
    // ids have no characters that JSON escapes
    const named: string[] = line.match(/[A-Za-z]+_[\w-]+/g) ?? [];
    return named.some((id) => ids.has(id));
  });
}
