// A program that is killed in the middle of imports over HTTP: repeated after its next start, the import leaves what is on disk, once.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { found } from '../support/found.ts';
import { openStage, type Program, type Stage } from './stage.ts';

const files = 400;
const textOf = (at: number): string => `The hive number ${at} is beside the lime tree.`;

/** How many passages the database holds, seen from outside of the program. */
function stored({ home }: Stage): number {
  const path = join(home, 'memory.sqlite');
  if (!existsSync(path)) return 0;
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return Number(database.prepare('SELECT count(*) FROM global_memory_chunks').pluck().get());
  } finally {
    database.close();
  }
}

test('a program that is killed during imports over HTTP has, after the same import again, each file once and nothing that is gone', async (t) => {
  const stage = await openStage(t, { platforms: [] });
  const folder = join(stage.folder, 'docs');
  const put = (at: number, name = `${at}.md`): void =>
    writeFileSync(join(folder, name), `# ${at}\n\n${textOf(at)}\n`);
  mkdirSync(folder);
  for (let at = 0; at < files; at += 1) put(at);
  const body = {
    source: { kind: 'path', path: folder },
    format: 'directory',
    tier: 'global',
    sync_deletes: true,
  };
  const start = async (): Promise<Program> => {
    const program = stage.start();
    await found('the address', () => (/Ctrl-C stops it/.test(program.said()) ? true : undefined));
    return program;
  };
  let cuts = 0;
  /** An import that is killed once so many passages are there; a machine that was faster than the look at it has cut nothing. */
  const cutAt = async (isReached: (count: number) => boolean): Promise<void> => {
    const program = await start();
    const asked = program.send('POST', '/memory/import', body).then(
      () => 'answered',
      () => 'cut',
    );
    await Promise.race([asked, found('the passages', () => (isReached(stored(stage)) ? true : undefined))]);
    program.signal('SIGKILL');
    await program.ended;
    if ((await asked) === 'cut') cuts += 1;
  };
  for (const reached of [1, 90, 220]) await cutAt((count) => count >= reached);
  // in the meantime files are renamed, edited, copied and deleted, and the import of that is killed too
  for (let at = 0; at < 40; at += 1) renameSync(join(folder, `${at}.md`), join(folder, `moved-${at}.md`));
  for (let at = 40; at < 60; at += 1) rmSync(join(folder, `${at}.md`));
  for (let at = 60; at < 70; at += 1) put(at + 1_000, `${at}.md`);
  for (let at = 70; at < 80; at += 1) put(at, `copy-${at}.md`);
  await cutAt((count) => count >= 300);
  t.diagnostic(`${cuts} of 4 imports were cut`);
  assert.ok(cuts > 0, 'an import was cut');

  const program = await start();
  const first = (await (await program.send('POST', '/memory/import', body)).json()) as Record<
    string,
    unknown
  >;
  assert.deepEqual([first.ok, first.discovered_files, first.errors], [true, files - 20 + 10, 0]);
  const again = (await (await program.send('POST', '/memory/import', body)).json()) as Record<
    string,
    unknown
  >;
  assert.deepEqual([again.indexed_files, again.deleted_files, again.chunks_created], [0, 0, 0]);
  const expected = Array.from({ length: files }, (_, at) => at)
    .filter((at) => at < 40 || at >= 60)
    .map((at) => textOf(at >= 60 && at < 70 ? at + 1_000 : at));
  const database = new Database(join(stage.home, 'memory.sqlite'), { readonly: true });
  const contents = database.prepare('SELECT content FROM global_memory_chunks').pluck().all() as string[];
  database.close();
  const sentences = contents.map(
    (content) => /The hive number \d+ is beside the lime tree\./.exec(content)?.[0],
  );
  assert.deepEqual(sentences.toSorted(), expected.toSorted());
  const search = async (query: string): Promise<string> =>
    JSON.stringify(await (await program.send('POST', '/memory/search', { query, limit: 3 })).json());
  assert.match(await search('hive number 1063'), /number 1063 is/);
  assert.doesNotMatch(await search('hive number 45'), /number 45 is/);
  program.signal('SIGTERM');
  await program.ended;
  const verified = stage.run('memory', 'verify');
  assert.equal(await verified.ended, 0, verified.said());
});
