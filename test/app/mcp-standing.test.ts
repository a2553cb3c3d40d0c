// Tokens and requests over MCP in the status, in the doctor and in the OpenAPI document.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tokenState } from '#adapters/gateway/admission/tokens.ts';
import { checkTokens } from '#app/doctor/tokens.ts';
import { mcpLine, mcpProblems } from '#app/screen/mcp-words.ts';
import type { McpStanding } from '#engine/wire/operator/mcp-standing.ts';
import { createDocumentCheck, type OpenApiDocument } from '../engine/http/document-check.ts';
import { openTelegramHouse } from './house.ts';
import { call, overHttp, parley, tokenFor } from './mcp-kit.ts';

const dayMs = 24 * 60 * 60_000;

test('the status counts tokens and requests, the doctor names what is wrong with a token, and the document has the routes', async (t) => {
  const people = { Robin: { role: 'owner' as const, accounts: ['telegram:1'] } };
  const house = await openTelegramHouse(t, { people });
  const owner = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const ask = async (path: string, secret = owner, init: RequestInit = {}) =>
    fetch(new URL(path, house.parley.url), {
      ...init,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
  const standing = async () => ((await (await ask('/status')).json()) as { mcp: McpStanding }).mcp;
  assert.deepEqual(await standing(), {
    ...{ valid: 0, expiring: 0, expired: 0, unusable: 0, lastUsedAtMs: null },
    ...{ requests: 0, refused: 0, failed: 0 },
  });
  assert.doesNotMatch((await parley(house, 'status')).out, /^ *mcp/m, 'nothing where there is none');
  const soon = await tokenFor(house, '--person', 'Robin', '--expires', '2');
  const coder = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, coder.secret);
  t.after(() => client.close());
  await call(client, 'get_lessons');
  assert.equal((await ask('/mcp', 'parley_wrong', { method: 'POST', body: '{}' })).status, 401);
  const { requests, refused, lastUsedAtMs, ...counts } = await standing();
  assert.deepEqual(counts, { valid: 2, expiring: 1, expired: 0, unusable: 0, failed: 0 });
  assert.ok(requests >= 2 && refused === 1 && Number(lastUsedAtMs) > 0);
  const { out } = await parley(house, 'status');
  assert.match(out, /^ *mcp +2 tokens, last used .* UTC; \d+ requests, 1 refused$/m);
  assert.match(out, /1 token for MCP will expire within 7 days/);
  for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
  const found = (at: number, config: object = { people }) =>
    checkTokens({ home: house.home, config: config as never }, at).map(
      ({ level, what }) => `${level}: ${what}`,
    );
  const day = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10);
  assert.deepEqual(found(Date.now()), [
    `ok: Tokens for MCP that work: ${soon.id} of Robin, ${coder.id} of agent coder.`,
    `warning: The token ${soon.id} of Robin will expire on ${day}.`,
  ]);
  assert.match(found(Date.now() + 3 * dayMs).join(), new RegExp(`${soon.id} of Robin expired on ${day}`));
  assert.match(found(Date.now() + 40 * dayMs).join(), new RegExp(`^ok: [^,]*${coder.id}[^,]*$`));
  const document = (await (await ask('/openapi.json')).json()) as OpenApiDocument;
  const check = createDocumentCheck(document);
  check('GET', '/tokens', { status: 200, body: await (await ask('/tokens')).json() });
  const made = await ask('/tokens', owner, { method: 'POST', body: JSON.stringify({ agent: 'tester' }) });
  const body = (await made.json()) as { token: { id: string } };
  check('POST', '/tokens', { status: made.status, body });
  const gone = await ask(`/tokens/${body.token.id}`, owner, { method: 'DELETE' });
  check('DELETE', `/tokens/${body.token.id}`, { status: 200, body: await gone.json() });
  const wrong = await ask('/tokens', owner, { method: 'POST', body: '{}' });
  check('POST', '/tokens', { status: wrong.status, body: await wrong.json() });
  assert.ok('post' in (document.paths['/mcp'] ?? {}));
});

test('a token is valid, will expire, has expired, or is of nobody who is admitted', () => {
  const now = 100 * dayMs;
  const stateOf = (more: object, isAdmitted = true) =>
    tokenState(
      { id: 'tok_1', readOnly: false, createdAtMs: 0, ...more },
      { isAdmitted: () => isAdmitted, now },
    );
  assert.equal(stateOf({ agent: 'a' }, false), 'valid');
  assert.equal(stateOf({ person: 'Ann' }), 'valid');
  assert.equal(stateOf({ person: 'Ann' }, false), 'unusable');
  assert.equal(stateOf({ person: 'Ann', expiresAtMs: now + 8 * dayMs }), 'valid');
  assert.equal(stateOf({ person: 'Ann', expiresAtMs: now + 7 * dayMs }), 'expiring');
  assert.equal(stateOf({ person: 'Ann', expiresAtMs: now }), 'expired');
  assert.equal(stateOf({ person: 'Ann', expiresAtMs: now - 31 * dayMs }), undefined, 'nobody asks any more');
});

test('what failed over MCP is a problem with a hint, and what is well is none', () => {
  const well = { valid: 1, expiring: 0, expired: 0, unusable: 0, lastUsedAtMs: null };
  const none = { requests: 0, refused: 0, failed: 0 };
  assert.deepEqual(mcpProblems({ ...well, ...none }), []);
  assert.equal(mcpLine({ ...well, ...none }, undefined), '1 token; 0 requests');
  assert.equal(mcpLine({ ...well, valid: 0, ...none }, undefined), undefined);
  const bad = mcpProblems({ ...well, expired: 1, unusable: 2, requests: 9, refused: 0, failed: 3 });
  assert.deepEqual(
    bad.map(({ what }) => what.replace(/ for MCP.*| over MCP.*/, '')),
    ['1 token', '2 tokens', '3 calls'],
  );
  assert.ok(bad.every(({ hint }) => hint.length > 20));
});
