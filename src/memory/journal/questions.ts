// Questions of the journal about memories that contradict each other: asked as an open thread, and what an answer chooses.
import { ParleyError } from '#base/errors.ts';
import type { Work } from '#base/sql/work.ts';
import { chosenSide } from '#memory/records/chosen-side.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { JournalCaller, JournalEntry, QuestionSide } from '#memory/types/journal.ts';
import { sourceOf } from '#memory/types/record.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import { type JournalRow, journalEntryOf } from './rows.ts';

/** Asks which of these records holds, in the place of what asked about one of them. */
export function* askWhichHolds(
  { rows, questions }: JournalParts,
  caller: JournalCaller,
  { agentID, title, body, records }: CheckedInput<'askWhichHolds'>,
): Work<JournalEntry> {
  for (const record of records) yield* questions.end(record, rows.now());
  const state = { status: 'open', updated_at_ms: rows.now() };
  const id = yield* rows.insert('open_threads', caller, agentID, {
    ...{ lineage_id: null, title, body },
    ...state,
  });
  yield* questions.ask(id, records);
  return journalEntryOf(yield* rows.get('open_threads', caller, id));
}

/** What a thread asks about, in its order, and the id of the one that the answer chooses, if it is clear. */
export interface AskedQuestion {
  sides: readonly StoredRecord[];
  holds: string | undefined;
}

/**
 * The question of a thread with what an answer to it says: `holds` names a side, and else the words of `note` may. Undefined for a thread that
 * asks about no memories. A ParleyError `invalid_journal` for `holds` that is none of the sides.
 */
export function* askedBy(
  { questions, records }: JournalParts,
  caller: JournalCaller,
  row: JournalRow,
  { note, holds }: { note?: string | undefined; holds?: string | undefined },
): Work<AskedQuestion | undefined> {
  const ids = yield* questions.sides(row.id);
  const known = ids.length === 0 ? [] : yield* records.history(ids, readableBy(scopeOf(caller, row)));
  const sides = ids.flatMap((id) => known.filter((record) => record.id === id));
  const meant = chosenSide(holds ?? note ?? '', sides);
  if (holds !== undefined && meant === undefined)
    throw new ParleyError(
      'invalid_journal',
      sides.length === 0
        ? `holds: expected nothing, since ${row.id} asks about no memories, received ${JSON.stringify(holds)}.`
        : `holds: expected ${sides.map(({ id }) => id).join(' or ')}, received ${JSON.stringify(holds)}.`,
      { hint: 'Nothing was written.' },
    );
  return sides.length === 0 ? undefined : { sides, holds: meant };
}

/** What is chosen holds from now on, and supersedes the others; which ends the question. */
export function* chooseSide(
  { choose }: JournalParts,
  caller: JournalCaller,
  row: JournalRow,
  { sides, holds }: { sides: AskedQuestion['sides']; holds: string },
): Work<{ holds: QuestionSide; superseded: QuestionSide[] }> {
  const against = sides.map(({ id }) => id).filter((id) => id !== holds);
  const { record, superseded } = yield* choose({
    ...{ id: holds, against, by: caller.by, scope: scopeOf(caller, row) },
  });
  return { holds: sideOf(record), superseded: superseded.map(sideOf) };
}

/** What a question is about belongs to whom the question does. */
function scopeOf({ scope }: JournalCaller, { audience }: JournalRow): JournalCaller['scope'] {
  return { ...scope, audiences: [audience as JournalCaller['scope']['audiences'][number]] }; // the table has no others
}

/** One of the memories, as who answers reads it. */
export function sideOf(record: StoredRecord): QuestionSide {
  const { id, text, confidence, at } = record;
  return { id, text, confidence, at: new Date(at).toISOString(), source: sourceOf(record) };
}
