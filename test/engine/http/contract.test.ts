// What clients build on: each route waits for the engine, gives its answer on, and its refusal too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRoutes as stage } from './noting-engine.ts';
import { rows } from './route-calls.ts';

for (const { at, body, call, gives, shows, status = 200, total } of rows)
  test(`${at} waits for the engine and gives its answer on, and its refusal (${call[0]})`, async () => {
    const [method = '', path = ''] = at.split(' ');
    const [name, ...args] = call;
    const given = gives ?? { from: name };
    const { ask, calls } = stage({ answers: gives === undefined ? {} : { [name]: given } });
    const answer = await ask(method, path, body);
    assert.deepEqual([answer.status, answer.body], [status, shows ?? given], JSON.stringify(answer.body));
    assert.equal(answer.headers.get('x-total-count'), total ?? null);
    const made = calls.filter((each) => each[0] === name).at(-1) ?? [];
    assert.partialDeepStrictEqual(made.slice(1, 1 + args.length), args);
    const refused = await stage({ broken: name }).ask(method, path, body);
    assert.deepEqual(
      [refused.status, refused.body.code],
      [503, 'MEMORY_BUSY'],
      'what the engine refuses is refused',
    );
  });

test('an id of a form that none can have is 404 without a question to the engine', async () => {
  for (const id of ['x'.repeat(101), 'a%20b'])
    for (const path of [`/session/${id}`, `/session/${id}/message`, `/runs/${id}`, `/memory/${id}`]) {
      const { ask, calls } = stage();
      assert.equal((await ask('GET', path)).status, 404, path);
      assert.deepEqual(calls, [], 'no call is made for an id of that form');
    }
  assert.equal((await stage().ask('GET', `/session/${'x'.repeat(100)}`)).status, 200);
});
