// The tables get the names that the code and the docs use.
import type { Migration } from '#base/sqlite/sqlite.ts';

/** Names of the version before, and what the tables are called since. */
const tables = [
  ['asked', 'posted_requests'],
  ['knocks', 'pairing_requests'],
  ['spent', 'turn_usage'],
  ['refused', 'refused_messages'],
  ['moves', 'chat_migrations'],
];

export const standardNames: Migration = {
  name: 'standard names',
  up: `${tables.map(([from, to]) => `ALTER TABLE ${from} RENAME TO ${to};`).join(' ')}
    ALTER TABLE persons RENAME COLUMN given_role TO assigned_role;`,
};
