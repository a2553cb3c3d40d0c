// A machine for which sqlite-vec has no build, as this one is until the test ends. Not a test.
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';

/** Takes the build away by naming another processor; threads are not affected. */
export function withoutSqliteVec(t: Pick<TestContext, 'after'>): { backAgain(): void } {
  const { arch } = process;
  new Database(':memory:').close(); // SQLite itself has a build, which is looked for once
  const name = (value: string): void => {
    Object.defineProperty(process, 'arch', { value, configurable: true, enumerable: true });
    syncBuiltinESMExports();
  };
  name('riscv64');
  t.after(() => name(arch));
  return { backAgain: () => name(arch) };
}
