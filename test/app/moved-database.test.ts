// A database that is moved away or emptied under a running program: said, nothing accepted in the meantime is lost, and all continues when it is back.
import assert from 'node:assert/strict';
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openHouse, type Talk } from './house.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };

for (const file of ['gateway.sqlite', 'engine.sqlite', 'memory.sqlite'])
  test(`${file} moved away while running: said with its hint, and what was written in the meantime is answered once and remembered when it is back`, async (t) => {
    const house = await openHouse(t);
    await house.ready('telegram');
    await house.ask(talk, 'My bicycle is green.');
    const path = join(house.home, file);
    renameSync(path, `${path}.away`);
    const before = house.answers(talk).length;
    await house.sandbox.telegram.say({ chat: 'dm', user: 'you', text: 'My canoe is orange.' });
    await found(`the problem of ${file}`, () =>
      house.parley.gateway
        .status()
        .some(({ problem = '' }) =>
          new RegExp(`${file}.* cannot be used: the file was moved away.* Put the file back`).test(problem),
        )
        ? true
        : undefined,
    );
    renameSync(`${path}.away`, path);
    await found('the answer', () => (house.answers(talk).length > before ? true : undefined));
    await found('an end of the problem', () =>
      house.parley.gateway
        .status()
        .every(
          ({ problem, inboxBacklog, outboxBacklog }) =>
            problem === undefined && inboxBacklog + outboxBacklog === 0,
        )
        ? true
        : undefined,
    );
    assert.equal(house.answers(talk).length, before + 1);
    await house.restart();
    await house.ready('telegram');
    assert.match(await house.ask(talk, 'What colour is my canoe?'), /orange/);
  });

test('memory.sqlite emptied while running takes nothing more, so that all is there when its bytes are back', async (t) => {
  const house = await openHouse(t);
  const { url } = house.parley;
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const put = async (content: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ content });
    return (await fetch(`${url}/memory/put`, { method: 'POST', headers, body })).status;
  };
  assert.equal(await put('The first note.'), 200);
  const path = join(house.home, 'memory.sqlite');
  const bytes = readFileSync(path);
  truncateSync(path, 0);
  assert.equal(await put('The second note.'), 503);
  writeFileSync(path, bytes);
  assert.equal(await put('The third note.'), 200);
});
