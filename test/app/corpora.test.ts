// Searches of one corpus, over HTTP and over MCP: what is found in each, inside the audience of the request or of the token.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient, refusalOf } from '#engine/client/client.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { onlyTelegram, openTelegramHouse } from './house.ts';
import { type Answer, call, overHttp, refusal, tokenFor } from './mcp-kit.ts';

const question = 'What about the raised beds?';
const names = /No corpus is called "wikki": expected one of memory, sessions, wiki, all/;
const expected = {
  memory: ['bed note'],
  sessions: ['bed record'],
  wiki: ['bed page'],
  all: ['bed note', 'bed page', 'bed record'],
};

/** A record, a note in a file and a page of the wiki about the same, all of Robin's audience. */
async function open(t: TestContext) {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const { secret: other } = await tokenFor(house, '--agent', 'coder');
  const first = await overHttp(house.parley.url, secret);
  const { id } = await call(first, 'memory_create', { content: 'The raised beds: bed record.' });
  const { item } = await call(first, 'memory_read', { id });
  await first.close();
  const audience = String((item as Answer).audience);
  const http = () => {
    const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
    return createClient({ baseUrl: house.parley.url, token }).memory;
  };
  await http().noteFile('The raised beds: bed note.', { audience });
  const path = tempFolder(t);
  mkdirSync(join(path, 'garden'));
  writeFileSync(join(path, 'garden/beds.md'), '# Beds\n\nThe raised beds: bed page.\n');
  await house.restart({ channels: onlyTelegram, memory: { wiki: { path, audience } } });
  await house.ready('telegram');
  const connect = async (token: string) => {
    const client = await overHttp(house.parley.url, token);
    t.after(() => client.close());
    return client;
  };
  return { audience, http: http(), robin: await connect(secret), coder: await connect(other) };
}

const told = (texts: readonly unknown[]): string[] =>
  texts.flatMap((text) => /bed (?:note|page|record)/.exec(String(text))?.[0] ?? []).sort();

test('a search over HTTP and over MCP goes to the corpus that it names, and to no audience but its own', async (t) => {
  const { audience, http, robin, coder } = await open(t);
  for (const [corpus, texts] of Object.entries(expected)) {
    const { results } = await http.search(question, { audience, corpus });
    assert.deepEqual(told(results.map(({ content }) => content)), texts, `${corpus} over HTTP`);
    const others = await http.search(question, { audience: 'person:per_other', corpus });
    assert.deepEqual(others.results, [], `${corpus} of another audience`);
    const { items } = await call(robin, 'memory_search', { query: question, corpus });
    const found = items as Answer[];
    assert.deepEqual(told(found.map(({ text }) => text)), texts, `${corpus} over MCP`);
    const { items: none } = await call(coder, 'memory_search', { query: question, corpus });
    assert.deepEqual(none, [], `${corpus} with another token`);
  }
  const refused = await http.search(question, { audience, corpus: 'wikki' }).catch(refusalOf);
  assert.ok(refused !== undefined && 'code' in refused);
  assert.equal(refused.code, 'UNKNOWN_CORPUS');
  assert.match(refused.message, names);
  assert.match(await refusal(robin, 'memory_search', { query: question, corpus: 'wikki' }), names);
  await assert.rejects(
    http.search(question, { audience, corpus: 'wiki', source: 'records' }),
    /corpus: expected none where only records are searched.*received "wiki"/,
  );
});

test('lines of a memory file and of a page are read over HTTP and over MCP by those who may read them', async (t) => {
  const { audience, http, robin, coder } = await open(t);
  const { items } = await call(robin, 'memory_search', { query: question, corpus: 'wiki' });
  const { path, from, until } = (items as { file: { path: string; from: number; until: number } }[])[0]
    ?.file ?? { path: '', from: 0, until: 0 };
  assert.equal(path, 'wiki/garden/beds.md');
  const lines = { path, from, lines: until - from + 1 };
  assert.match(String((await call(robin, 'memory_get', lines)).text), /bed page/);
  assert.match((await http.fileLines({ audience, ...lines, corpus: 'wiki' })).text, /bed page/);
  const inMemory = await call(robin, 'memory_search', { query: question, corpus: 'memory' });
  const note = (inMemory.items as { file: { path: string } }[])[0]?.file.path;
  assert.match(String((await call(robin, 'memory_get', { path: note, corpus: 'memory' })).text), /bed note/);
  const missing = /No memory file that may be read here is called/;
  assert.match(await refusal(robin, 'memory_get', { path: note, corpus: 'wiki' }), missing);
  for (const hidden of [path, note, 'garden/beds.md'])
    assert.match(await refusal(coder, 'memory_get', { path: hidden }), missing);
  await assert.rejects(http.fileLines({ audience: 'person:per_other', path }), missing);
  assert.match(await refusal(robin, 'memory_get', { path, corpus: 'wikki' }), names);
  await assert.rejects(http.fileLines({ audience, path, corpus: 'wikki' }), names);
  assert.match(await refusal(robin, 'memory_get', { path: '' }), /path: /);
});
