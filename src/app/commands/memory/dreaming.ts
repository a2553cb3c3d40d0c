// The actions of `parley memory` on short-term memory: promote, promote-explain, rem-harness, rem-backfill.
import { advice, paragraph, plain, wrapped } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { counted, truncate, truncateColumns } from '#base/text.ts';
import type { Candidate, PromotionReport, PromotionVerdict } from '#memory/types/dreaming.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience } from '#memory/types/scope.ts';
import { type ActionContext, fileAt, type MemoryAction, required } from './call.ts';

const columns = 80;
const nothingLeft = 'Nothing was left to take back.';
/** Candidates that are shown of one audience. */
const maxShown = 20;

/** Shows what passes the gates now, and promotes it with `--apply`; `--revert` takes one promotion back. Without `--to`, which means a record. */
export const promoteRecalledAction: MemoryAction = async (call) => {
  const { memory, values, operand, print, home } = call;
  if (values.revert) {
    const promotion = required(operand, 'the id of a promotion, as "parley memory promote" shows it');
    const lines = await memory.revertDreams({ promotion });
    print(
      values.json
        ? JSON.stringify({ lines })
        : lines === 0
          ? nothingLeft
          : `${counted(lines, 'line')} taken back. It is not promoted again.`,
    );
    return 0;
  }
  if (operand !== undefined)
    throw new ParleyError('invalid_usage', 'Expected --to project, --to global or --to knowledge.', {
      hint: 'Without an id, "parley memory promote" shows what was recalled often.',
    });
  const mode = values.apply ? 'apply' : 'dry run';
  const reports = await memory.promoteRecalled({ audience: values.audience, mode });
  if (values.json) print(JSON.stringify({ reports }));
  else {
    showReports(reports, home, print);
    if (mode === 'dry run' && reports.length > 0) print('Nothing was changed. --apply promotes what passes.');
  }
  return reports.some(({ problem }) => problem !== undefined) ? 1 : 0;
};

function showReports(reports: readonly PromotionReport[], home: string, print: (line: string) => void): void {
  if (reports.length === 0)
    for (const line of wrapped(
      'Nothing was recalled yet. Recalls are counted while "memory.dreaming.enabled" is true.',
    ))
      print(line);
  for (const { audience, candidates, promoted, dropped, problem } of reports) {
    print(truncate(audience, columns));
    if (problem !== undefined) for (const line of paragraph(problem, columns - 2)) print(`  ${line.trim()}`);
    for (const { id, text, path, line } of promoted) {
      print(`  promoted ${id}: line ${line} of`);
      print(`  ${fileAt(home, path)}`);
      print(`    ${truncateColumns(plain(text), columns - 4)}`);
    }
    if (dropped > 0) print(`  ${counted(dropped, 'older line')} dropped for the budget`);
    const written = new Set(promoted.map(({ candidate }) => candidate));
    const others = candidates.filter(({ id }) => !written.has(id));
    for (const candidate of others.slice(0, maxShown))
      for (const line of candidateLines(candidate, home)) print(line);
    if (others.length > maxShown) print(`  and ${others.length - maxShown} more; --json has all`);
  }
}

function candidateLines({ id, text, score, verdict, audience }: Candidate, home: string): string[] {
  const why = verdict.status === 'promote' ? 'a sweep promotes it' : verdict.words;
  return [
    truncate(`  ${score.toFixed(2)}  ${id}`, columns),
    `    ${truncateColumns(plain(text ?? '[no longer found]'), columns - 4)}`,
    ...paragraph(`${statusWords[verdict.status]}: ${why}`, columns - 4).map((line) => `    ${line.trim()}`),
    ...filesIn(why).map((name) => `    ${fileOf(home, audience, name)}`),
  ];
}

/** The memory files that a sentence names. */
const filesIn = (words: string): string[] => words.match(/\b(?:MEMORY|DREAMS)\.md\b/g) ?? [];

/** The path of such a file, whole: a terminal opens a path, and not a name. */
const fileOf = (home: string, audience: Audience, name: string): string =>
  fileAt(home, `${folderNameOf(audience)}/${name}`);

const statusWords: Readonly<Record<PromotionVerdict['status'], string>> = {
  promote: 'passes',
  waits: 'waits',
  refused: 'refused',
  promoted: 'promoted',
};

/** Prints one candidate of dreaming with the parts of its score: by its id, that of its promotion, or words that stand in it. */
export const explainAction: MemoryAction = async ({ memory, operand, values, print, home }) => {
  const wanted = required(operand, 'the id of a candidate or a promotion, or words of it');
  const found = (await memory.explainCandidate(wanted)) ?? (await candidateOf(memory, wanted));
  if (found === undefined)
    throw new ParleyError('not_found', `There is no candidate ${wanted}.`, {
      hint: 'See "parley memory promote".',
    });
  if (values.json) {
    print(JSON.stringify(found));
    return 0;
  }
  for (const line of candidateLines(found, home)) print(line);
  print(`  source     ${truncateColumns(plain(found.source ?? 'no longer found'), columns - 13)}`);
  print(`  audience   ${truncate(found.audience, columns - 13)}`);
  print(`  recalls    ${found.recalls} by ${counted(found.queries, 'different question')}`);
  print(`  days       ${truncate(found.days.join(', '), columns - 13)}`);
  for (const [name, part] of Object.entries(found.parts)) print(`  ${name.padEnd(14)} ${part.toFixed(2)}`);
  print(`  phases added   ${found.boost.toFixed(2)}`);
  return 0;
};

/** The best candidate in which these words stand. */
async function candidateOf(memory: ActionContext['memory'], words: string): Promise<Candidate | undefined> {
  const reports = await memory.promoteRecalled({ mode: 'dry run' });
  return reports
    .flatMap(({ candidates }) => candidates)
    .find(({ text }) => text?.toLowerCase().includes(words.toLowerCase()));
}

/** Prints what the REM and deep phases would process; writes nothing. */
export const harnessAction: MemoryAction = async ({ memory, values, print, home }) => {
  const reports = await memory.remHarness({ audience: values.audience });
  if (values.json) print(JSON.stringify({ reports }));
  else {
    showReports(reports, home, print);
    if (reports.length > 0) print('Nothing was changed.');
    if (reports.length > 0)
      for (const line of advice(
        'The REM phase needs a model: "parley start" runs it with the next sweep and writes its themes into',
      ))
        print(line);
    for (const { audience } of reports) print(fileOf(home, audience, 'DREAMS.md'));
  }
  return 0;
};

/** Writes the missing summaries of days, or removes all of them again. */
export const backfillAction: MemoryAction = async ({ memory, values, print, home }) => {
  const { audience } = values;
  if (values.revert) {
    const lines = await memory.revertDreams({ audience });
    const done = lines === 0 ? nothingLeft : `${counted(lines, 'backfilled line')} taken back.`;
    print(values.json ? JSON.stringify({ lines }) : done);
    return 0;
  }
  const days = required(values.days, '--from DAYS, so many days back, or --revert');
  const written = await memory.remBackfill({ days, audience });
  if (values.json) print(JSON.stringify({ days: written }));
  else if (written.length === 0) print('Nothing was recalled on these days.');
  else
    for (const day of written) {
      print(truncate(`${day.day}  ${day.audience}`, columns));
      print(`  ${counted(day.statements.length, 'statement')}${day.written ? ' in' : ', there before, in'}`);
      print(`  ${fileOf(home, day.audience, 'DREAMS.md')}`);
    }
  return 0;
};
