// How far each platform's stream has been committed. A cursor that counts never moves backwards.

import type { Platform } from '#adapters/gateway/address.ts';
import type { Cursor } from '#adapters/gateway/inbound.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Cursors {
  get(platform: Platform, name: string): string | undefined;
  set(platform: Platform, cursor: Cursor): void;
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
    'SELECT value FROM cursors WHERE platform = ? AND name = ?',
  );
  const upsert = database.prepare(
    'INSERT INTO cursors (platform, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    get: (platform, name) => select.get(platform, name)?.value,
    set(platform, { name, value }) {
      const current = select.get(platform, name)?.value;
      if (current === undefined || !isBehind(value, current)) upsert.run(platform, name, value);
    },
  };
}
