// `parley memory` about knowledge, distilling and caches, as its owner calls it, within 80 columns.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { openEngineAccess } from '#app/running/engine-access.ts';
import { openTerminal } from './terminal.ts';

function open(t: TestContext, config: object = {}) {
  const { call, folder } = openTerminal(t, config);
  const run = async (...words: string[]) => {
    const told = await call('memory', ...words);
    const wide = told.out.split('\n').filter((line) => line.length > 80 && !line.startsWith('{'));
    assert.deepEqual(wide, [], words.join(' '));
    return told;
  };
  return { run, folder };
}

test('a record is made knowledge, asked for before work, and taken back', async (t) => {
  const { run } = open(t);
  const { out: put } = await run('put', 'Hold the blue switch of the till for four seconds.');
  const [id = ''] = /mem_\w+/.exec(put) ?? [];
  assert.equal((await run('promote', id, '--to', 'knowledge', '--reason', 'x')).code, 2, 'without a subject');
  const to = ['--to', 'knowledge', '--subject', 'Restart of the till'];
  const { out: promoted } = await run('promote', id, ...to, '--reason', 'It works.', '--approved');
  assert.match(promoted, /^mem_\w+ is knowledge now; passed, 0 masked\.\nknw_\w+ {2}.+approved_default/);
  const { out } = await run('preflight', 'restart of the TILL');
  assert.match(out, /^reuse_approved_default: what is known covers this and still holds\.\nknw_/);
  assert.match((await run('preflight', 'the weather')).out, /^no_prior_knowledge/);
  assert.match((await run('knowledge')).out, /Hold the blue switch/);
  const { items } = JSON.parse((await run('knowledge', '--json')).out);
  assert.equal(items.length, 1);
  assert.match((await run('withdraw', id)).out, /^1 item is no longer reused; the record stays/);
  assert.match((await run('knowledge')).out, /^There is none/);
  assert.equal((await run('withdraw', id)).code, 1);
});

test('a conversation is distilled by rules where no Parley runs, and one that is not there is reported', async (t) => {
  const { run, folder } = open(t);
  const access = await openEngineAccess(loadConfig({ folder, variables: {} }));
  const { id } = await access.client.sessions.create();
  const rest = 'The garden needs rain and the shed needs paint. '.repeat(5);
  await access.client.sessions.promptSync(id, `My favourite tea is oolong. ${rest}`);
  await access.close();
  const { out } = await run('distill', id);
  assert.match(
    out,
    /^Facts were stored about it\. \(by rules\)\nfacts {4}1 stored, 0 known, 0 forgotten before, /,
  );
  assert.match((await run('distill', id)).out, /^All that was found in it is known already/);
  assert.match((await run('distill', id, '--importance', '1')).out, /^Nothing of lasting worth/);
  const missing = await run('distill', 'ses_none');
  assert.deepEqual(
    [missing.code, /no session "ses_none"\.\nSee "parley sessions list"\./.test(missing.err)],
    [1, true],
  );
  assert.equal((await run('distill')).code, 2);
});

test('cached answers are thrown away by a word', async (t) => {
  const { run } = open(t);
  assert.equal((await run('drop-caches')).out, '0 cached answers and 0 vectors were deleted.\n');
  assert.deepEqual(JSON.parse((await run('drop-caches', '--json')).out), { responses: 0, embeddings: 0 });
});
