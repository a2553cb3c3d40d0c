// What an import did, as lines of at most 80 columns, and whether it went well.
import { paragraph } from '#app/screen/screen.ts';

import { asCalled } from '#base/called-as.ts';
import { counted } from '#base/text.ts';
import { type ImportReport, type SkipReason, skipReasons } from '#memory/types/import.ts';

const reasons: Readonly<Record<SkipReason, string>> = {
  notice: 'joins, pins, calls and the like',
  empty: 'nothing was written: no text, no file',
  unsupported: 'the export says only that there was one',
  unreadable: 'not in the form that was expected',
  forgotten: 'forgotten before, and not brought back',
  memory: 'memories that are not of the journal',
  other: 'address books, sessions: no messages',
};
/** How many failed files are listed one by one. */
const maxFailures = 20;
/** How many symbolic links are. */
const maxLinks = 20;
const labelColumns = 44;
const countColumns = 12;

/** The report as lines: files, a table of entries, then the errors. */
export function importLines(report: ImportReport): string[] {
  const { files, deleted, chunks, entries, redactions, links, complete } = report;
  const skipped = skipReasons.flatMap((reason): [string, number][] => {
    const count = entries.skipped[reason];
    return count === undefined ? [] : [[`  ${reasons[reason]}`, count]];
  });
  return [
    `files    ${files.stored} stored, ${files.unchanged} unchanged, ${files.empty} empty, ${files.failed} failed, ${deleted} deleted`,
    '',
    ...table([
      ['read', entries.read],
      ['stored', entries.stored],
      ['known already', entries.known],
      ['skipped', skipped.reduce((sum, [, count]) => sum + count, 0)],
      ...skipped,
      ...(chunks.removed === 0
        ? []
        : [['entries of earlier imports removed', chunks.removed] as [string, number]]),
      ...(links.length === 0 ? [] : [['symbolic links, not followed', links.length] as [string, number]]),
      ...(redactions === 0 ? [] : [['secrets masked', redactions] as [string, number]]),
    ]),
    ...problems(report),
    ...(complete ? [] : ['', 'It was stopped; the same call continues from there.']),
  ];
}

/** Whether the import was complete: not stopped, everything readable, and something to read. */
export function isWell({ complete, files, entries, discovered, deleted }: ImportReport): boolean {
  const isNothing = discovered === 0 && deleted === 0;
  const isUseless =
    entries.read > 0 && entries.stored + entries.known === 0 && entries.skipped.unreadable !== undefined;
  return complete && files.failed === 0 && !isNothing && !isUseless;
}

function table(rows: readonly (readonly [string, number])[]): string[] {
  return rows.map(
    ([label, count]) => label.padEnd(labelColumns) + count.toLocaleString('en').padStart(countColumns),
  );
}

function problems(report: ImportReport): string[] {
  const { complete, discovered, deleted, failures, links, unreadable, entries } = report;
  const lines: string[] = [];
  const add = (text: string): void => void lines.push(...paragraph(asCalled(text)));
  if (complete && discovered === 0 && deleted === 0)
    add('Nothing was found there that has this format. See "parley memory import --help".');
  for (const { path, words, hint } of failures.slice(0, maxFailures))
    add(`${words.includes(path) ? '' : `${path}: `}${words}${hint === undefined ? '' : ` ${hint}`}`);
  if (failures.length > maxFailures)
    add(`and ${counted(failures.length - maxFailures, 'more file')} that failed.`);
  for (const path of links.slice(0, maxLinks)) add(`${path} is a symbolic link, which is not followed.`);
  if (links.length > maxLinks) add(`and ${counted(links.length - maxLinks, 'more link')}.`);
  // for a file that failed as a whole it is printed above
  const others = unreadable.filter((words) => !failures.some((failure) => failure.words === words));
  for (const words of others) add(words);
  const left = (entries.skipped.unreadable ?? 0) - unreadable.length;
  if (left > 0) add(`and ${left} more like these.`);
  return lines.length === 0 ? [] : ['', ...lines];
}
