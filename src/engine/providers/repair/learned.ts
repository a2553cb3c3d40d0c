// What models taught by refusing requests: in memory and in a table, so that a restart does not ask again. It can be forgotten.
import { memoize } from '#base/caches/memoize.ts';
import type { Clock } from '#base/clock.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { LearnedModel } from '#engine/wire/runs/provider.ts';
import type { Known } from './known.ts';
import { knownWindow } from './known-windows.ts';

interface LearnedRow {
  model: string;
  known: string;
  words: string;
  learned_at_ms: number;
}

export interface Learned {
  /** All that is known of a model: the least of what its settings say and what it taught; a window as the settings have it. */
  known(provider: Pick<Provider, 'key' | 'settings' | 'modelID'>): Known;
  /** What is known of a model by its key; its row is read once. */
  of(model: string): Known;
  /** Adds to what is known of it; `words` are what the server said. False where that was known. */
  add(model: string, what: Known, words: string): boolean;
  /** Adds what is worth no row: it is learned again with the next answer. */
  note(model: string, what: Known): void;
  /** Files that it could not read, by their ids; in memory only. */
  unreadable(model: string): Set<string>;
  /** Newest first. */
  list(): LearnedModel[];
  /** Forgets what was learned of one model, or of all; how many that were. */
  forget(model?: string): number;
}

/** Models whose unreadable pictures are remembered. */
const maxModels = 50;

/** Over a database with the table `learned_models`; nothing is read before the first call. */
export function createLearned(database: Sqlite, clock: Pick<Clock, 'now'>): Learned {
  const known = new Map<string, Known>();
  const unreadable = memoize(maxModels, (_model) => new Set<string>());
  const rowOf = (model: string): LearnedRow | undefined =>
    database.prepare<[string], LearnedRow>('SELECT * FROM learned_models WHERE model = ?').get(model);
  const of = (model: string): Known => {
    const here = known.get(model);
    if (here !== undefined) return here;
    const row = rowOf(model);
    const read: Known = row === undefined ? {} : JSON.parse(row.known);
    known.set(model, read);
    return read;
  };
  return {
    known({ key, settings, modelID }) {
      const taught = of(key);
      const counts = [settings.images, taught.images].filter((count) => count !== undefined);
      return {
        ...taught,
        images: counts.length === 0 ? undefined : Math.min(...counts),
        tools: settings.tools ?? taught.tools,
        contextTokens: settings.contextTokens ?? taught.contextTokens ?? knownWindow(modelID),
      };
    },
    of,
    add(model, what, words) {
      const before = of(model);
      const after = { ...before, ...what };
      if (JSON.stringify(after) === JSON.stringify(before)) return false;
      known.set(model, after);
      database
        .prepare<[string, string, string, number]>(
          `INSERT INTO learned_models (model, known, words, learned_at_ms) VALUES (?, ?, ?, ?)
           ON CONFLICT (model) DO UPDATE SET known = excluded.known, words = excluded.words,
             learned_at_ms = excluded.learned_at_ms`,
        )
        .run(model, JSON.stringify({ ...after, sees: undefined }), words, clock.now());
      return true;
    },
    note(model, what) {
      known.set(model, { ...of(model), ...what });
    },
    unreadable,
    list: () =>
      database
        .prepare<[], LearnedRow>('SELECT * FROM learned_models ORDER BY learned_at_ms DESC')
        .all()
        .map((row) => ({
          ...{ model: row.model, known: JSON.parse(row.known) },
          ...{ words: row.words, learnedAtMs: row.learned_at_ms },
        })),
    forget(model) {
      if (model === undefined) known.clear();
      else known.delete(model);
      return model === undefined
        ? database.prepare<[]>('DELETE FROM learned_models').run().changes
        : database.prepare<[string]>('DELETE FROM learned_models WHERE model = ?').run(model).changes;
    },
  };
}
