// Corrections over MCP: stale ones, several at once, contradictions, sources, times in seconds, and what was forgotten before.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTelegramHouse } from './house.ts';
import { type Answer, call, overHttp, personClient, refusal, tokenFor } from './mcp-kit.ts';

test('a correction of a version that no longer holds says what it followed, and is refused where the version was named', async (t) => {
  const client = await personClient(t);
  const { id } = await call(client, 'memory_create', { content: 'The kumquat port is 1.' });
  const second = await call(client, 'memory_update', { id, content: 'The kumquat port is 2.' });
  assert.deepEqual([second.version, second.supersedes, second.followed], [2, id, undefined]);
  const stale = await refusal(client, 'memory_update', {
    id,
    expected_version: 1,
    content: 'The kumquat port is 3.',
  });
  assert.match(stale, /^expected_version: expected 2.*received 1.*"The kumquat port is 2\."/);
  assert.match(stale, new RegExp(String(second.id)));
  const third = await call(client, 'memory_update', { id, content: 'The kumquat port is 3.' });
  assert.deepEqual(
    [third.version, third.supersedes, third.followed],
    [3, second.id, { version: 2, text: 'The kumquat port is 2.' }],
  );
  await call(client, 'memory_update', { id: third.id, expected_version: 3, tags: ['port'] });
});

test('four corrections at once give a chain of versions that each answer states, and of those that name the version one is stored', async (t) => {
  const client = await personClient(t);
  const { id } = await call(client, 'memory_create', { content: 'The medlar count is 0.' });
  const numbers = [1, 2, 3, 4];
  const answers = await Promise.all(
    numbers.map((number) => call(client, 'memory_update', { id, content: `The medlar count is ${number}.` })),
  );
  const { versions } = (await call(client, 'memory_read', { id })) as { versions: Answer[] };
  assert.equal(versions.length, 5);
  for (const answer of answers) {
    const at = versions.findIndex((version) => version.id === answer.id);
    assert.deepEqual([answer.version, answer.supersedes], [at + 1, versions[at - 1]?.id]);
    assert.equal(
      (answer.followed as Answer | undefined)?.text,
      at === 1 ? undefined : versions[at - 1]?.text,
    );
  }
  const tried = await Promise.allSettled(
    numbers.map((number) =>
      call(client, 'memory_update', { id, expected_version: 5, content: `The quince count is ${number}.` }),
    ),
  );
  assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1);
  // one changes the words and another the tags: neither takes the other's back
  await Promise.all([
    call(client, 'memory_update', { id, content: 'The medlar count is 9.' }),
    call(client, 'memory_update', { id, tags: ['count'] }),
  ]);
  const { item, record } = (await call(client, 'memory_lookup', { tag: 'count' }).then(({ items }) =>
    call(client, 'memory_read', { id: (items as Answer[])[0]?.id }),
  )) as { item: Answer; record: Answer };
  assert.deepEqual([item.text, record.tags], ['The medlar count is 9.', ['count']]);
});

test('new words have their own source and confidence, and what only changes a tag keeps both', async (t) => {
  const client = await personClient(t);
  const audited = { confidence: 0.9, source: 'audit report 2026' };
  const { id } = await call(client, 'memory_create', { content: 'Uptime is 10.', kind: 'fact', ...audited });
  const record = async (of: unknown) => (await call(client, 'memory_read', { id: of })).record as Answer;
  const tagged = await call(client, 'memory_update', { id, tags: ['uptime'] });
  const kept = await record(tagged.id);
  assert.deepEqual([kept.source, kept.confidence], [audited.source, audited.confidence]);
  const said = await record((await call(client, 'memory_update', { id, content: 'Uptime is 12.' })).id);
  assert.deepEqual([said.source, said.confidence], ['mcp', 1]);
});

test('a less certain fact stands beside the surer one of its key, and the answer says what it contradicts', async (t) => {
  const client = await personClient(t);
  const key = 'deploy day';
  const sure = await call(client, 'memory_create', {
    kind: 'fact',
    key,
    content: 'Deploys are on Monday.',
    confidence: 0.9,
  });
  const doubtful = { kind: 'fact', key, content: 'Deploys are on Friday.', confidence: 0.4 };
  const other = await call(client, 'memory_create', doubtful);
  assert.equal(other.status, 'stored');
  const { at, ...contradicts } = other.contradicts as Answer;
  assert.deepEqual(contradicts, { id: sure.id, text: 'Deploys are on Monday.', confidence: 0.9 });
  assert.match(String(at), /^\d{4}-\d\d-\d\dT/);
  const held = async () =>
    ((await call(client, 'memory_lookup', { key })).items as Answer[]).map(({ id }) => id);
  assert.deepEqual(new Set(await held()), new Set([sure.id, other.id]));
  const { items } = await call(client, 'memory_search', { query: 'on which day are deploys' });
  for (const id of [sure.id, other.id])
    assert.match(String((items as Answer[]).find((item) => item.id === id)?.at), /^\d{4}-\d\d-\d\dT/);
  // another doubt is the next version of the doubt, and a word that is as sure settles both
  const again = await call(client, 'memory_create', { ...doubtful, content: 'Deploys are on Sunday.' });
  assert.deepEqual([again.supersedes, (again.contradicts as Answer).id], [other.id, sure.id]);
  const settled = await call(client, 'memory_create', {
    kind: 'fact',
    key,
    content: 'Deploys are on Tuesday.',
  });
  assert.deepEqual(await held(), [settled.id]);
});

test('a time in seconds, or one that has passed, is refused with the likely value', async (t) => {
  const client = await personClient(t);
  const seconds = Math.floor(Date.now() / 1_000) + 86_400;
  const words = await refusal(client, 'memory_create', { content: 'A quince.', expires_at_ms: seconds });
  assert.match(words, new RegExp(`expires_at_ms: .*milliseconds.*${seconds}000.*received ${seconds}`));
  assert.match(
    await refusal(client, 'memory_create', { content: 'A quince.', expires_at_ms: Date.now() - 1_000 }),
    /^expires_at_ms: expected a time after now/,
  );
  assert.match(
    await refusal(client, 'memory_forget', { from_ms: seconds, mode: 'preview' }),
    new RegExp(`from_ms: .*${seconds}000`),
  );
  await call(client, 'memory_create', { content: 'A quince.', expires_at_ms: seconds * 1_000 });
});

for (const [name, made] of Object.entries({
  note: { content: 'The safe is behind the mirror.' },
  'fact with a key': { content: 'The safe is behind the mirror.', kind: 'fact', key: 'safe' },
}))
  test(`a ${name} that was forgotten is stored again on purpose only, and that is audited`, async (t) => {
    const house = await openTelegramHouse(t);
    const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
    t.after(() => client.close());
    const { id } = await call(client, 'memory_create', made);
    await call(client, 'memory_delete', { id, reason: 'moved' });
    for (const again of [{ content: made.content }, { ...made, kind: 'fact' }]) {
      const refused = await call(client, 'memory_create', again);
      assert.deepEqual([refused.status, refused.id], ['forgotten', undefined], JSON.stringify(again));
      assert.match(String(refused.hint), /again: true/);
    }
    const stored = await call(client, 'memory_create', { ...made, again: true });
    assert.deepEqual([stored.status, stored.was_forgotten], ['stored', true]);
    assert.equal((await call(client, 'memory_create', made)).status, 'duplicate');
    const { events } = (await (
      await fetch(
        new URL(
          `/memory/audit?audience=${encodeURIComponent(String(((await call(client, 'memory_read', { id: stored.id })).item as Answer).audience))}`,
          house.parley.url,
        ),
        {
          headers: { authorization: `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}` },
        },
      )
    ).json()) as { events: { action: string; memory_ids: string[]; detail: Answer }[] };
    const again = events.filter(({ action, detail }) => action === 'put' && detail.again === true);
    assert.deepEqual(
      again.map(({ memory_ids }) => memory_ids),
      [[stored.id]],
    );
  });

test('memory_verify and memory_read agree on every id, whatever became of it', async (t) => {
  const client = await personClient(t);
  const first = await call(client, 'memory_create', { content: 'The persimmon is ripe.' });
  const second = await call(client, 'memory_update', { id: first.id, content: 'The persimmon is gone.' });
  const gone = await call(client, 'memory_create', { content: 'The loquat is here.' });
  await call(client, 'memory_delete', { id: gone.id });
  const lesson = await call(client, 'record_lesson', {
    agent_id: 'coder',
    task_type: 't',
    lesson_kind: 'pattern',
    lesson: 'Look first.',
  });
  const expected: [unknown, string][] = [
    [first.id, 'superseded'],
    [second.id, 'stored'],
    [gone.id, 'forgotten'],
    [lesson.id, 'stored'],
    ['mem_none', 'unknown'],
  ];
  const { items } = await call(client, 'memory_verify', { ids: expected.map(([id]) => id) });
  assert.deepEqual(
    (items as Answer[]).map(({ status }) => status),
    expected.map(([, status]) => status),
  );
  for (const [id, status] of expected)
    if (status === 'stored' || status === 'superseded')
      assert.ok((await call(client, 'memory_read', { id })).item);
    else
      assert.match(
        await refusal(client, 'memory_read', { id }),
        status === 'forgotten' ? /was forgotten/ : /that you may read/,
      );
});
