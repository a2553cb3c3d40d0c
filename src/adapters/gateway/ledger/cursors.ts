// How far the stream of each bot has been committed. A cursor that counts never moves backwards.

import type { Cursor } from '#adapters/gateway/terms/inbound.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Cursors {
  /** `bot` as `channelName` has it: two bots of one platform read separate streams. */
  get(bot: string, name: string): string | undefined;
  set(bot: string, cursor: Cursor): void;
}

/** Compares two cursor values: as (possibly fractional or very long) numbers where both are, else as text. */
export function isBehind(value: string, other: string): boolean {
  const number = /^\d+(\.\d+)?$/;
  if (!number.test(value) || !number.test(other)) return false;
  const [whole = '', fraction = ''] = value.split('.');
  const [otherWhole = '', otherFraction = ''] = other.split('.');
  if (whole.length !== otherWhole.length) return whole.length < otherWhole.length;
  if (whole !== otherWhole) return whole < otherWhole;
  const digits = Math.max(fraction.length, otherFraction.length);
  return fraction.padEnd(digits, '0') < otherFraction.padEnd(digits, '0');
}

/** The table `cursors`. */
export function createCursors(database: Sqlite): Cursors {
  const select = database.prepare<[string, string], { value: string }>(
    'SELECT value FROM cursors WHERE bot = ? AND name = ?',
  );
  const upsert = database.prepare(
    'INSERT INTO cursors (bot, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    get: (bot, name) => select.get(bot, name)?.value,
    set(bot, { name, value }) {
      const current = select.get(bot, name)?.value;
      if (current === undefined || !isBehind(value, current)) upsert.run(bot, name, value);
    },
  };
}
