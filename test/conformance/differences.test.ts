// The table of differences against the channels, the tests that show them, and the page that repeats it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { differences, differenceTable, unnoticed } from './differences.ts';
import { platforms } from './platforms.ts';

const root = join(import.meta.dirname, '../..');

/** Whether each member is there, and each figure of `caps`, by platform in the order of `platforms`. */
async function facetsOf(t: TestContext): Promise<Map<string, unknown[]>> {
  const facets = new Map<string, unknown[]>();
  for (const [at, platform] of platforms.entries()) {
    const server = await platform.sandbox();
    t.after(() => server.close());
    const { caps, platform: _, ...members } = platform.channel(server);
    // rates are the table of `bench:calls`
    const { pace: __, files, editGapMs, ...figures } = caps;
    const all = {
      ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value !== undefined])),
      ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [`caps.${name}`, value])),
      'caps.files.limitBytes': files?.limitBytes,
      'caps.editGapMs': JSON.stringify(editGapMs),
    };
    for (const [name, value] of Object.entries(all)) {
      const values = facets.get(name) ?? platforms.map(() => false);
      values[at] = value;
      facets.set(name, values);
    }
  }
  return facets;
}

test('whatever differs between the channels has a row, or a reason why nobody notices it', async (t) => {
  const differing = [...(await facetsOf(t))].flatMap(([name, values]) =>
    new Set(values).size > 1 ? [name] : [],
  );
  const named = [...differences.flatMap(({ facets = [] }) => facets), ...Object.keys(unnoticed)];
  assert.deepEqual(named.toSorted(), differing.toSorted());
});

test('the largest file of the table is that of each channel', async (t) => {
  const [discord, telegram, slack] = (await facetsOf(t)).get('caps.files.limitBytes') ?? [];
  const row = differences.find(({ facets }) => facets?.includes('caps.files.limitBytes'));
  const said = { discord: '10 MiB', telegram: '50 MB', slack: '100 MiB' };
  assert.deepEqual([discord, telegram, slack], [10 * 2 ** 20, 50 * 10 ** 6, 100 * 2 ** 20]);
  assert.deepEqual({ discord: row?.discord, telegram: row?.telegram, slack: row?.slack }, said);
});

test('each row differs, is whole, and names tests that are there', () => {
  for (const { what, discord, telegram, slack, tests, facets = [] } of differences) {
    for (const cell of [what, discord, telegram, slack]) assert.match(cell, /^[^|\n]+$/, what);
    assert.ok(new Set([discord, telegram, slack]).size > 1, `${what}: no difference`);
    assert.ok(tests.length > 0 || facets.length > 0, `${what}: nothing shows it`);
    for (const [path, title] of tests)
      assert.ok(readFileSync(join(root, 'test', path), 'utf8').includes(title), `${path} has no "${title}"`);
  }
});

test('docs/platforms.md repeats the table', () => {
  const page = readFileSync(join(root, 'docs/platforms.md'), 'utf8');
  // another table of the page has the features that they share
  const [table = ''] = /^\| what \|.*(?:\n\|.*)*/m.exec(page) ?? [];
  assert.equal(table, differenceTable());
});
