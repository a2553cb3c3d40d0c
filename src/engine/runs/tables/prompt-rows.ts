// What the prompt of each run was made of, in a column of the runs table. Called inside transactions.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { StoredPrompt } from '#engine/wire/runs/run-prompt.ts';

export interface PromptRows {
  put(runID: string, prompt: StoredPrompt): void;
  /** Undefined for a run that has not ended, that sent no prompt, or that ended before this was stored. */
  get(runID: string): StoredPrompt | undefined;
}

export function createPromptRows(database: Sqlite): PromptRows {
  const put = database.prepare<[string, string]>('UPDATE runs SET prompt = ? WHERE id = ?');
  const get = database.prepare<[string], string | null>('SELECT prompt FROM runs WHERE id = ?').pluck();
  return {
    put(runID, prompt) {
      put.run(JSON.stringify(prompt), runID);
    },
    get(runID) {
      const stored = get.get(runID);
      return typeof stored === 'string' ? JSON.parse(stored) : undefined;
    },
  };
}
