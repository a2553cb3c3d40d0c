// A home folder of an earlier version, in which its demo was played: opened, migrated, and its memory answers. Its databases have the
// tables of before they had standard names.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { createClient } from '#engine/client/client.ts';
import { openHouse } from './house.ts';

const databases = ['engine', 'gateway', 'memory'];

/** The tables of the databases in the folder. */
function tablesOf(home: string): string[] {
  return databases.flatMap((name) => {
    const database = new Database(join(home, `${name}.sqlite`), { readonly: true });
    try {
      const names = database
        .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .pluck()
        .all();
      return names.map((table) => `${name}.${table}`);
    } finally {
      database.close();
    }
  });
}

test('a home folder of an earlier version opens, is migrated, and answers from its memory', async (t) => {
  let before: string[] = [];
  const house = await openHouse(t, {
    // the message ids of such a sandbox continue after those of before
    sandbox: 'stored',
    config: { channels: { telegram: { rooms: { who: 'anyone' } } } },
    furnish: (home) => {
      for (const name of databases)
        writeFileSync(
          join(home, `${name}.sqlite`),
          gunzipSync(readFileSync(join(import.meta.dirname, 'earlier-home', `${name}.sqlite.gz`))),
        );
      before = tablesOf(home);
    },
  });
  await house.ready('discord', 'telegram', 'slack');
  const after = tablesOf(house.home);
  assert.ok(before.some((table) => !after.includes(table)) && after.length > before.length, before.join());
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const { sessions } = createClient({ baseUrl: house.parley.url ?? '', token });
  const listed = await sessions.list();
  assert.equal(listed.length, 7);
  for (const platform of ['telegram', 'discord', 'slack'] as const) {
    const answer = await house.ask({ platform, chat: 'dm', user: 'you' }, 'Where is the spare key?');
    assert.match(answer, /under the blue flowerpot/);
  }
  const guest = await house.ask(
    { platform: 'slack', chat: 'room', user: 'guest' },
    'Where is the spare key?',
  );
  assert.doesNotMatch(guest, /flowerpot/);
});
