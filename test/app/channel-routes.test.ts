// The routes of the channels next to the engine's: the document has each, the typed client calls each, and the answers are as described.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mcpDocument, mcpRoutes } from '#adapters/mcp/routes.ts';
import { createClient, refusalOf } from '#engine/client/client.ts';
import type { Operation } from '#engine/operations/operation.ts';
import {
  deliveryOperations,
  peopleOperations,
  storedOperations,
} from '#engine/wire/channels/channel-operations.ts';
import { createDocumentCheck, type OpenApiDocument } from '../engine/http/document-check.ts';
import { quietLog } from '../support/quiet-log.ts';
import { openHouse } from './house.ts';

test('every route for programs that read memory is described, and no other is', () => {
  const none = (): undefined => undefined;
  const mcp = { check: none, engine: none, version: '1', newId: () => 'x', log: quietLog('silent').log };
  const named = (all: readonly { method: string; path: string }[]): string[] =>
    all.map(({ method, path }) => `${method} ${path}`).sort();
  assert.deepEqual(named(mcpDocument), named(mcpRoutes(mcp).routes.filter(({ method }) => method !== 'ALL')));
});

test('the typed client reads and changes people, tokens, deliveries and what is stored, and each answer is as the document has it', async (t) => {
  const people = { Robin: { role: 'owner' as const, accounts: ['telegram:1'] } };
  const off = { enabled: false };
  const house = await openHouse(t, { config: { people, channels: { discord: off, slack: off } } });
  await house.ready('telegram');
  const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await house.ask(talk, 'My bicycle is green.');
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const answers: { method: string; path: string; status: number; body: unknown }[] = [];
  const client = createClient({
    baseUrl: house.parley.url,
    token,
    async fetch(input, init) {
      const response = await fetch(input, init);
      const { method = 'GET' } = init ?? {};
      const { pathname: path } = new URL(String(input));
      answers.push({ method, path, status: response.status, body: await response.clone().json() });
      return response;
    },
  });
  const { people: known, others } = await client.people.list();
  assert.deepEqual(
    known.map(({ name }) => name),
    ['Robin'],
  );
  assert.equal((await client.people.get('Robin')).role, 'owner');
  const refused = async (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (error: unknown) => refusalOf(error)?.code,
    );
  assert.deepEqual(
    [
      await refused(client.people.approve({ code: 'none' })),
      await refused(client.people.deny('none')),
      await refused(client.people.setRole('Robin', { role: 'guest' })),
      await refused(client.people.remove('Nobody')),
      await refused(client.people.removeAccount('Robin', { account: 'telegram:2' })),
      await refused(client.tokens.create({})),
      await refused(client.channels.forget({ of: {} })),
    ],
    [
      ...['UNKNOWN_CODE', 'UNKNOWN_CODE', 'PERSON_IN_CONFIG', 'UNKNOWN_PERSON', 'UNKNOWN_ACCOUNT'],
      ...['INVALID_TOKEN_REQUEST', 'INVALID_REQUEST'],
    ],
  );
  const made = await client.tokens.create({ agent: 'coder' });
  assert.equal((await client.tokens.list())[0]?.id, made.token.id);
  assert.ok((await client.tokens.revoke(made.token.id)).revokedAtMs);
  const [run] = await client.runs.list();
  const way = await client.deliveries.ofRun(run?.runID ?? '');
  assert.equal(way.messages.length, 1);
  assert.ok(way.delivery?.parts[0]?.nativeID);
  assert.equal((await client.deliveries.ofRun('run_none')).turn, null);
  assert.deepEqual(await client.deliveries.waiting(), []);
  const writer = [...known.flatMap(({ accounts }) => accounts), ...others].map(({ person }) => person);
  const counted = await client.channels.forget({ of: { persons: writer } });
  assert.deepEqual([counted.applied, counted.messages], [false, 1]);
  assert.equal((await client.channels.forget({ of: { persons: writer }, apply: true })).applied, true);
  assert.equal((await client.channels.forget({ of: { persons: writer } })).messages, 0);
  const headers = { authorization: `Bearer ${token}` };
  const document = await (await fetch(new URL('/openapi.json', house.parley.url), { headers })).json();
  const check = createDocumentCheck(document as OpenApiDocument);
  for (const { method, path, ...response } of answers) check(method, path, response);
  for (const { method, path } of Object.values<Operation>({
    ...peopleOperations,
    ...deliveryOperations,
    ...storedOperations,
  }))
    assert.ok(
      method.toLowerCase() in ((document as OpenApiDocument).paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}),
    );
});

test('a pairing request is listed, approved or turned away through the typed client, as the document has it', async (t) => {
  const pairing = { directMessages: 'pairing' };
  const config = { channels: { discord: { enabled: false }, telegram: pairing, slack: pairing } };
  const house = await openHouse(t, { config });
  await house.ready('telegram', 'slack');
  for (const platform of ['telegram', 'slack'] as const)
    await house.ask({ platform, chat: 'dm', user: 'guest' }, 'Please admit me.');
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const client = createClient({ baseUrl: house.parley.url, token });
  const headers = { authorization: `Bearer ${token}` };
  const document = await (await fetch(new URL('/openapi.json', house.parley.url), { headers })).json();
  const check = createDocumentCheck(document as OpenApiDocument);
  const list = await client.people.list();
  check('GET', '/people', { status: 200, body: list });
  const [first, second] = list.pending;
  const admitted = await client.people.approve({ code: first?.code ?? '', name: 'Ann' });
  check('POST', '/people/approve', { status: 200, body: admitted });
  check('POST', '/people/deny', { status: 200, body: await client.people.deny(second?.code ?? '') });
  check('PATCH', '/people/Ann', { status: 200, body: await client.people.setRole('Ann', { role: 'guest' }) });
  const account = `${first?.platform}:${first?.userID}`;
  const less = await client.people.removeAccount('Ann', { account });
  check('DELETE', `/people/Ann/accounts/${account}`, { status: 200, body: less });
  check('DELETE', '/people/Ann', { status: 200, body: await client.people.remove('Ann') });
  assert.deepEqual((await client.people.list()).pending, []);
});
