// Two programs compared: ratios, bounds and the table, over made-up figures, and the configs that both accept.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configSchema } from '#app/config/schema.ts';
import { median, ratioBounds } from '../../bench/gateway/figures.ts';
import { writeFolder } from '../../bench/gateway/folder.ts';
import {
  boundsWith,
  compared,
  comparedInTurns,
  missedRatios,
  ratioTable,
} from '../../bench/gateway/ratios.ts';
import { inTurns } from '../../bench/harness/turns.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const urls = { discord: 'http://127.0.0.1:1', telegram: 'http://127.0.0.1:2', slack: 'http://127.0.0.1:3' };

test('the median of an even number is between both middles', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

test('the other one is first in every second turn, and each pair has its own sides', async () => {
  const order: string[] = [];
  const run = (name: string) => async () => {
    order.push(name);
    return `${name} ${order.length}`;
  };
  const pairs = await inTurns(3, run('one'), run('other'));
  assert.deepEqual(order, ['one', 'other', 'other', 'one', 'one', 'other']);
  assert.deepEqual(pairs, [
    { one: 'one 1', other: 'other 2' },
    { one: 'one 4', other: 'other 3' },
    { one: 'one 5', other: 'other 6' },
  ]);
});

test('the ratio over turns is the median of their ratios', () => {
  const pairs = [
    { one: 10, other: 5 },
    { one: 30, other: 30 },
    { one: 12, other: 10 },
  ];
  assert.deepEqual(comparedInTurns('cpu', pairs), {
    ...{ name: 'cpu', here: 12, there: 10, ratio: 1.2 },
    turns: [2, 1, 1.2],
  });
});

test('more time than its bound is missed, and so are fewer exchanges a second', () => {
  const bounds = boundsWith([]);
  const all = [compared('cpu', 10.5, 10), compared('per-second', 95, 100), compared('ready', 500, 1_000)];
  assert.deepEqual(missedRatios(all, bounds), []);
  const worse = [compared('cpu', 10.6, 10), compared('per-second', 94, 100)];
  assert.deepEqual(missedRatios(worse, bounds), [
    'ratio cpu: 1.06, to reach: at most 1.05',
    'ratio per-second: 0.94, to reach: at least 0.95',
  ]);
});

test('a figure that was not measured misses its bound', () => {
  assert.equal(missedRatios([compared('cpu', Number.NaN, 10)], boundsWith([])).length, 1);
});

test('a bound that is given replaces the one of the table, and no other', () => {
  const bounds = boundsWith(['ready=.8', 'per-second=1']);
  assert.deepEqual([bounds.ready, bounds['per-second'], bounds.cpu], [0.8, 1, 1.05]);
  assert.equal(missedRatios([compared('ready', 900, 1_000)], bounds).length, 1);
});

for (const words of ['speed=1', 'ready', 'ready=fast', 'ready=', 'toString=1'])
  test(`--bound ${words} is refused with the names that exist`, () => {
    assert.throws(() => boundsWith([words]), { code: 'wrong_arguments', message: /p50-discord.*ready, got/ });
  });

test('the table has every figure in at most 80 columns', () => {
  const names = Object.keys(ratioBounds) as (keyof typeof ratioBounds)[];
  const all = names.map((name) => ({ ...compared(name, 12_345.67, 98_765.43), turns: [10.25, 11.75] }));
  const lines = ratioTable(all, boundsWith([]), '428ef337');
  assert.equal(lines.length, names.length + 1);
  for (const line of lines) assert.ok(line.length <= 80, `${line.length} columns: ${line}`);
  assert.match(lines[1] ?? '', /12345\.67 +98765\.43 +0\.125 +10\.25 to 11\.75 +<= 1\.05$/);
});

test('the config for this checkout is accepted by it', (t) => {
  const folder = join(tempFolder(t), 'own');
  writeFolder(folder, { root, urls, model: { provider: 'offline' } });
  const written = JSON.parse(readFileSync(join(folder, 'parley.config.json'), 'utf8'));
  assert.equal(written.channels.telegram.rateLimits, 'reactive');
  configSchema.parse(written);
});

test('the config for an earlier checkout has the names that keys had there', (t) => {
  const other = tempFolder(t);
  const of = (...keys: string[]) => ({ properties: Object.fromEntries(keys.map((key) => [key, {}])) });
  const properties = { discord: of('apiUrl'), telegram: of('apiRoot', 'pace'), slack: of('apiUrl', 'pace') };
  writeFileSync(
    join(other, 'parley.config.schema.json'),
    JSON.stringify({ properties: { channels: { properties } } }),
  );
  const folder = join(other, 'own');
  writeFolder(folder, { root: other, urls, model: { provider: 'offline' } });
  const { channels } = JSON.parse(readFileSync(join(folder, 'parley.config.json'), 'utf8'));
  const shared = { directMessages: 'open', pace: 'on refusal' };
  assert.deepEqual(channels.telegram, { ...shared, apiRoot: urls.telegram });
  assert.deepEqual(channels.slack, { ...shared, apiUrl: urls.slack });
});
