// Two owners who change the configuration of a started program at one moment, over its HTTP interface.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHouse } from './house.ts';

test('of owners who write the configuration at once from what both had read, one is taken, and the others are told to read it again', async (t) => {
  const { folder, parley } = await openHouse(t);
  const token = readFileSync(parley.tokenFile ?? '', 'utf8').trim();
  const file = join(folder, 'parley.config.json');
  const ask = (method: string, body?: object): Promise<Response> =>
    fetch(`${parley.url}/config`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { text, tag } = (await (await ask('GET')).json()) as { text: string; tag: string };
  const texts = [3, 4, 5, 6].map((concurrency) =>
    JSON.stringify({
      ...JSON.parse(text),
      gateway: { ...JSON.parse(text).gateway, debounceMs: concurrency },
    }),
  );
  const given = await Promise.all(texts.map(async (each) => (await ask('PUT', { text: each, tag })).status));
  assert.deepEqual([...given].sort(), [200, 409, 409, 409], given.join());
  assert.equal(readFileSync(file, 'utf8'), texts[given.indexOf(200)], 'what was taken stands in the file');
});
