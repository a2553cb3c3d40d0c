// Deletes the answer of a run from its conversation and from memory; what was asked stays in both.
import { ParleyError } from '#base/errors.ts';
import { existingRun, type StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { RunArchive } from './archive.ts';
import { placesOf } from './copies.ts';
import { createForgetRun, type ForgetRunOptions } from './forget-run.ts';

interface DeleteAnswerOptions extends ForgetRunOptions {
  tables: RunTables;
  sessions: Pick<Sessions, 'changed'>;
  archive: Pick<RunArchive, 'changing'>;
}

/** `Engine.deleteAnswer` over the tables. Memory forgets first, so that a death in between leaves something to do again. */
export function createDeleteAnswer(parts: DeleteAnswerOptions): (runID: string) => Promise<void> {
  const { tables, sessions, archive } = parts;
  const { conversation, runs, events } = tables;
  const forget = createForgetRun(parts);

  /** The answer in its session and in forks of that, as far as something is left of it. */
  const answersOf = (run: StoredRun): { sessionID: string; messageID: string; parts: Part[] }[] =>
    placesOf(conversation, run, run.origin?.nativeIDs[0] ?? '').flatMap(
      ({ sessionID, assistantMessageID: messageID }) => {
        const left = messageID === undefined ? [] : conversation.parts.ofMessage(messageID);
        return messageID === undefined || left.length === 0 ? [] : [{ sessionID, messageID, parts: left }];
      },
    );

  return async (runID) => {
    const run = existingRun(runs, runID);
    if (run.status === 'running')
      throw new ParleyError('run_not_ended', `The run ${runID} is running; it has no answer yet.`);
    await archive.changing(runID, async () => {
      const answers = answersOf(run);
      if (answers.length === 0 && runs.get(runID)?.text === '') return;
      await forget(run, () => false); // nobody takes the question back
      events.commit(() => {
        for (const { sessionID, messageID, parts: shown } of answers) {
          for (const { id } of shown) conversation.parts.remove(id);
          conversation.summaries.removeFrom(sessionID, messageID);
        }
        runs.dropText(runID);
      });
      sessions.changed(answers.map(({ messageID }) => messageID));
    });
  };
}
