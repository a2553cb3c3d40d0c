// The tables of features and differences against the channels, the tests that show them, and the page that repeats both.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { systemClock } from '#base/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { differences, tableOf, unnoticed } from './differences.ts';
import { features, noFeature } from './features.ts';
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

test('whatever all channels have is a feature of the table, or has a reason why it is none; a platform has what its cell says', async (t) => {
  const facets = await facetsOf(t);
  const had = (name: string): boolean[] => (facets.get(name) ?? []).map((value) => value !== false);
  const common = [...facets.keys()].filter((name) => had(name).every(Boolean));
  const named = [
    ...[...features, ...differences].flatMap(({ facets: own = [] }) => own),
    ...Object.keys(noFeature),
    ...Object.keys(unnoticed),
  ];
  assert.deepEqual(
    common.filter((name) => !named.includes(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(noFeature).filter((name) => !common.includes(name)),
    [],
  );
  for (const { what, facets: own = [], ...cells } of features)
    for (const name of own)
      assert.deepEqual(
        had(name),
        platforms.map((platform) => !cells[platform.name].startsWith('no')),
        `${what}: ${name}`,
      );
});

test('the largest file of the tables is that of each channel', async (t) => {
  const [discord, telegram, slack] = (await facetsOf(t)).get('caps.files.limitBytes') ?? [];
  const said = { discord: '10 MiB', telegram: '50 MB', slack: '100 MiB' };
  assert.deepEqual([discord, telegram, slack], [10 * 2 ** 20, 50 * 10 ** 6, 100 * 2 ** 20]);
  for (const rows of [features, differences]) {
    const row = rows.find(({ facets }) => facets?.includes('caps.files.limitBytes'));
    for (const { name } of platforms) assert.equal(row?.[name].replace('up to ', ''), said[name]);
  }
});

test('on Slack there are buttons with an app-level token only, as the tables say', () => {
  const [withToken, without] = ['xapp-1-A0-1-a', undefined].map((appToken) =>
    createSlackChannel({ botToken: 'xoxb-1-2-a', appToken, clock: systemClock, log: quietLog().log }),
  );
  assert.deepEqual([withToken?.withChoices !== undefined, without?.withChoices !== undefined], [true, false]);
  for (const rows of [features, differences])
    assert.match(rows.find(({ what }) => what.startsWith('buttons'))?.slack ?? '', /app-level token/);
});

test('each row is whole and names tests that are there, and a difference differs', () => {
  for (const { what, discord, telegram, slack, tests, facets = [] } of [...features, ...differences]) {
    for (const cell of [what, discord, telegram, slack]) assert.match(cell, /^[^|\n]+$/, what);
    assert.ok(tests.length > 0 || facets.length > 0, `${what}: nothing shows it`);
    for (const [path, title] of tests)
      assert.ok(readFileSync(join(root, 'test', path), 'utf8').includes(title), `${path} has no "${title}"`);
  }
  for (const { what, discord, telegram, slack } of differences)
    assert.ok(new Set([discord, telegram, slack]).size > 1, `${what}: no difference`);
});

test('docs/platforms.md repeats the tables', () => {
  const page = readFileSync(join(root, 'docs/platforms.md'), 'utf8');
  const tables = page.match(/^\| .*\|$(?:\n\|.*)*/gm);
  assert.deepEqual(tables, [tableOf('feature', features), tableOf('what', differences)]);
});
