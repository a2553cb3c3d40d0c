// Databases without a row, as the program makes them at its first start: each kind is made once in a process. Not a test.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gatewayMigrations } from '#adapters/gateway/ledger/schema.ts';
import { systemClock } from '#base/clock.ts';
import { ensureFolder } from '#base/files/files.ts';
import { createIds } from '#base/ids.ts';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { openStore } from '#memory/store/store.ts';

/** Makes a database at the path and closes it. */
type Make = (path: string) => void;

const made = new Map<Make, Buffer>();

/** Puts there what `make` makes: every start from nothing runs all migrations, which takes a test longer than what it tests. */
export function putEmpty(make: Make, path: string): void {
  ensureFolder(dirname(path));
  const bytes = made.get(make) ?? bytesOf(make);
  made.set(make, bytes);
  writeFileSync(path, bytes);
}

function bytesOf(make: Make): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'parley-empty-'));
  const path = join(folder, 'empty.sqlite');
  try {
    make(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `memory.sqlite`. */
export const memoryDatabase: Make = (path) =>
  openStore({
    path,
    clock: systemClock,
    newId: createIds(systemClock),
  }).close();

/** `engine.sqlite`. */
export const engineDatabase: Make = (path) => void openEngineDatabase(path, systemClock).close();

/** `gateway.sqlite`. */
export const gatewayDatabase: Make = (path) =>
  void openSqlite({ path, clock: systemClock, migrations: gatewayMigrations }).close();
