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

test('what is named in a path and is not there is 404 by its code, and the engine does nothing', async () => {
  for (const [at, code, none] of [
    ['GET /runs/r1/prompt', 'PROMPT_NOT_FOUND', 'runPrompt'],
    ['GET /runs/r1', 'RUN_NOT_FOUND', 'getRun'],
    ['POST /runs/r1/amend', 'RUN_NOT_FOUND', 'getRun'],
    ['POST /session/s1/run/r1/cancel', 'RUN_NOT_FOUND', 'getRun'],
    ['PATCH /session/s1', 'SESSION_NOT_FOUND', 'getSession'],
    ['GET /session/s1/diff', 'SESSION_NOT_FOUND', 'hasSession'],
    ['POST /session/s1/cancel', 'SESSION_NOT_FOUND', 'hasSession'],
  ] as const) {
    const [method = '', path = ''] = at.split(' ');
    const answers = { [none]: none === 'hasSession' ? false : undefined };
    const { ask, calls } = stage({ answers });
    const body = path.endsWith('amend') ? { nativeID: 'm', was: 'a', now: null } : {};
    const answer = await ask(method, path, method === 'GET' ? undefined : body);
    assert.deepEqual([answer.status, answer.body.code, answer.body.retryable], [404, code, false], at);
    assert.equal(calls.at(-1)?.[0], none);
  }
  const foreign = stage({ answers: { getRun: { runID: 'r1', sessionID: 's2' } } });
  assert.equal((await foreign.ask('POST', '/session/s1/run/r1/cancel', {})).status, 404);
  for (const id of ['x'.repeat(101), 'a%20b'])
    for (const path of [`/session/${id}`, `/session/${id}/message`, `/runs/${id}`, `/memory/${id}`]) {
      const { ask, calls } = stage();
      assert.equal((await ask('GET', path)).status, 404, path);
      assert.deepEqual(calls, [], 'no call is made for an id of that form');
    }
  assert.equal((await stage().ask('GET', `/session/${'x'.repeat(100)}`)).status, 200);
});
