// A memory as a model reads it in a tool's result: escaped, bounded, with where it came from; and that it was shown, in the audit.
import { errorMessage } from '#base/errors.ts';
import { escapeMarkup, truncate } from '#base/text.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';

/** Of one entry's text, before it is escaped. */
const entryChars = 1_000;

/** The entry without what only programs read. */
export function shownEntry(entry: Entry) {
  return {
    id: entry.id,
    text: escapeMarkup(truncate(entry.text, entryChars)),
    speaker: escapeMarkup(truncate(entry.speaker, 80)),
    where: escapeMarkup(entry.file === undefined ? `${entry.platform} ${kindOf(entry)}` : nameOf(entry.file)),
    at: new Date(entry.at).toISOString(),
    ...(entry.file === undefined
      ? {}
      : { path: escapeMarkup(entry.file.path), lines: `${entry.file.from}-${entry.file.until}` }),
  };
}

/** A file without the folder of its audience, which says nothing to people, as in what is recalled. */
function nameOf({ path }: NonNullable<Entry['file']>): string {
  return `file ${path.slice(path.indexOf('/') + 1)}`;
}

/** The kind of chat, as its canonical address says it (`platform:kind:...`). */
function kindOf({ chat, audience }: Entry): string {
  const kind = chat.split(':')[1];
  if (kind === 'dm' || kind === 'group' || kind === 'channel') return kind;
  return audience.startsWith('person:') ? 'dm' : 'room';
}

/** Notes the read. Where the disk refuses that, the read succeeds all the same, and the result has a message. */
export async function notedRead(
  memory: Pick<Memory, 'noteRead'>,
  { agent, runID, sessionID, tool }: RequestingCall,
  shown: readonly Pick<Entry, 'id' | 'audience'>[],
): Promise<string[]> {
  try {
    await memory.noteRead({ by: { name: agent, runID, sessionID }, how: tool, shown });
    return [];
  } catch (error) {
    return [`the read could not be noted in the audit (${errorMessage(error)})`];
  }
}
