// Files and conversations made into memory over HTTP, and memory as a tree: Tandem's requests and answers.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { refusalOf } from '#engine/client/client.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { converse, originOf, textBody } from '../support/kit.ts';
import { openService } from './service-kit.ts';

async function opened(t: TestContext) {
  const service = await openService(t, { model: { provider: 'offline' } });
  const log = quietLog().log;
  const client = clientInProcess(service.kit.engine, { clock: service.clock, log, version: '1' });
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return {
    ask: service.ask,
    memory: client.memory,
    engine: service.kit.engine,
    clock: service.clock,
    folder,
    put,
  };
}

const refused = (code: string) => (error: unknown) => refusalOf(error)?.code === code;

test('an import over HTTP answers as Tandem does, and the same importer passes over what is unchanged', async (t) => {
  const { ask, memory, folder, put } = await opened(t);
  put('a.md', '# Till\n\nThe blue switch restarts it.');
  put('b.txt', 'The red switch stops it.');
  symlinkSync('/', join(folder, 'link'));
  const request = {
    source: { kind: 'path', path: folder },
    format: 'directory',
    tier: 'project',
    project_id: 'shop',
    session_id: null,
    sync_deletes: true,
  };
  const first = await ask('POST', '/memory/import', request);
  assert.equal(first.status, 200);
  assert.deepEqual(first.body, {
    ok: true,
    ...request,
    discovered_files: 2,
    files_processed: 2,
    indexed_files: 2,
    skipped_files: 0,
    deleted_files: 0,
    chunks_created: 2,
    errors: 0,
    failures: [],
    skipped_links: 1,
    links: [join(folder, 'link')],
    redactions: 0,
  });
  writeFileSync(join(folder, 'b.txt'), new Uint8Array([0x66, 0xff]));
  const second = (await ask('POST', '/memory/import', request)).body;
  assert.deepEqual([second.skipped_files, second.errors, second.chunks_created], [1, 1, 0]);
  assert.equal((await memory.search('blue switch', { project_id: 'shop' })).results[0]?.tier, 'project');
  assert.deepEqual(
    (await memory.search('blue switch', { session_id: 'ses_1', project_id: 'other' })).results,
    [],
  );
});

test('an import that does not fit is refused with 400 and what to do', async (t) => {
  const { ask, memory, folder } = await opened(t);
  const source = { kind: 'path', path: folder };
  for (const body of [
    { format: 'directory' },
    { source: { kind: 'url', path: 'https://x' }, format: 'directory' },
    { source: { kind: 'path', path: '' }, format: 'directory' },
    { source, format: 'zip' },
    { source, format: 'directory', tier: 'project' },
    { source, format: 'directory', tier: 'session' },
    { source, format: 'directory', tier: 'session', session_id: 'ses_none' },
    { source: { kind: 'path', path: join(folder, 'nowhere') }, format: 'directory', tier: 'global' },
    { source, format: 'openclaw', tier: 'global' },
  ])
    assert.equal((await ask('POST', '/memory/import', body)).status, 400, JSON.stringify(body));
  await assert.rejects(
    memory.importPath({ source: { kind: 'path', path: folder }, format: 'directory', tier: 'team' }),
    refused('MEMORY_TIER_DENIED'),
  );
});

const talk = [
  'Good morning! How is the garden?',
  'My favourite tea is oolong. I am allergic to hazelnuts, so keep that in mind for the recipes that you suggest.',
  'We decided to paint the shed green in April. What do you think?',
];

test('a distillation says what it stored, each fact once, at the time of the clock, and a short talk is passed over (M38, M40)', async (t) => {
  const { memory, clock } = await opened(t);
  const first = await memory.contextDistill('ses_outside', { conversation: talk, subject: 'Ann' });
  assert.deepEqual(
    [first.status, first.facts_extracted, first.stored_count, first.deduped_count, first.report.by],
    ['stored', 3, 3, 0, 'rules'],
  );
  const { items } = await memory.list({ user_id: 'operator' });
  assert.deepEqual(items.map(({ content }) => content).sort(), [
    'Ann: I am allergic to hazelnuts, so keep that in mind for the recipes that you suggest.',
    'Ann: My favourite tea is oolong.',
    'Ann: We decided to paint the shed green in April.',
  ]);
  assert.ok(items.every(({ created_at_ms }) => created_at_ms === Math.round(clock.now())));
  const again = await memory.contextDistill('ses_outside', { conversation: talk, subject: 'Ann' });
  assert.deepEqual([again.status, again.stored_count, again.deduped_count], ['nothing_new', 0, 3]);
  assert.deepEqual(again.candidate_ids.toSorted(), first.memory_ids.toSorted());
  const short = await memory.contextDistill('ses_outside', { conversation: ['Hi.'] });
  assert.equal(short.status, 'skipped_short_conversation');
  assert.deepEqual(
    [short.facts_extracted, short.stored_count, short.deduped_count, short.memory_ids, short.report],
    [0, 0, 0, [], { by: 'rules', unimportant: 0, refused: 0, facts: [] }],
  );
  const dull = await memory.contextDistill('ses_outside', { conversation: ['The weather '.repeat(30)] });
  assert.equal(dull.status, 'no_important_facts');
  const strict = await memory.contextDistill('ses_x', { conversation: talk, importance_threshold: 0.99 });
  assert.deepEqual([strict.status, strict.report.unimportant], ['no_important_facts', 3]);
});

test('what changes is a new version of its fact, also when two distillations run at once (M32, M39)', async (t) => {
  const { memory } = await opened(t);
  const distill = (tea: string) =>
    memory.contextDistill('ses_x', {
      conversation: [
        `My favourite tea is ${tea}. ${'We talked of nothing else for a long time. '.repeat(5)}`,
      ],
      subject: 'Ann',
    });
  const [one, two] = await Promise.all([distill('oolong'), distill('sencha')]);
  assert.deepEqual([one.stored_count, two.stored_count], [1, 1]);
  const { items } = await memory.list({ user_id: 'operator' });
  assert.deepEqual(
    items.map(({ content }) => content),
    ['Ann: My favourite tea is sencha.'],
  );
  const { versions } = await memory.get(two.memory_ids[0] ?? '');
  assert.deepEqual(
    versions.map(({ governance }) => governance?.state),
    ['superseded', 'active'],
  );
});

test('of a chat’s session the facts belong to its person, are on what was archived, and go with it (M34)', async (t) => {
  const { memory, engine } = await opened(t);
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const said = `My favourite tea is oolong. ${'The garden needs rain and the shed needs paint. '.repeat(4)}`;
  await converse(engine, id, textBody(said, originOf()));
  const audience = 'person:per_1';
  const [exchange] = (await memory.list({ audience })).items;
  const { memory_ids } = await memory.contextDistill(id);
  assert.equal(memory_ids.length, 1);
  assert.deepEqual((await memory.list()).items, [], 'nothing of it is the operator’s');
  const { item } = await memory.get(memory_ids[0] ?? '', { audience });
  assert.match(item.content, /: My favourite tea is oolong\.$/);
  assert.deepEqual(item.linkage.evidence, [exchange?.id]);
  await assert.rejects(
    memory.contextDistill(id, { audience: 'person:operator' }),
    refused('AUDIENCE_MISMATCH'),
  );
  await assert.rejects(memory.contextDistill('ses_none'), refused('SESSION_NOT_FOUND'));
  await memory.delete(exchange?.id ?? '', { audience });
  await assert.rejects(memory.get(memory_ids[0] ?? '', { audience }), refused('MEMORY_FORGOTTEN'));
});

test('the tree has only the places of one audience, and each is given in three lengths without tearing a character (T40)', async (t) => {
  const { memory, folder, put } = await opened(t);
  put('a.md', `# Guide\n\n${'Größe 数据 👩‍👩‍👧 '.repeat(200)}`);
  await memory.importPath({ source: { kind: 'path', path: folder }, format: 'directory', tier: 'global' });
  await memory.put('The bike is green.', { session_id: 'ses_7' });
  await memory.put('Theirs.', { audience: 'person:per_2', session_id: 'ses_8' });
  const { tree } = await memory.contextTree();
  assert.deepEqual(
    tree.map(({ uri, children }) => [uri, children.length]),
    [
      ['tandem://session', 1],
      ['tandem://user', 0],
      ['tandem://agent', 1],
      ['tandem://resources', 1],
    ],
  );
  assert.ok(!JSON.stringify(tree).includes('ses_8'));
  const resource = tree[3]?.children[0];
  const { node } = await memory.contextResolveUri(resource?.uri ?? '');
  assert.deepEqual(
    [node.node_type, node.parent_uri, node.id],
    ['resource', 'tandem://resources', resource?.id],
  );
  const { layers } = await memory.contextGenerateLayers(node.id);
  assert.ok(layers.L0.token_count <= 100 && layers.L1.token_count <= 2_000);
  assert.ok(layers.L0.content.isWellFormed() && layers.L0.content.length < layers.L1.content.length);
  const session = await memory.contextGenerateLayers(tree[0]?.children[0]?.id ?? '');
  assert.equal(session.layers.L2.content, 'The bike is green.');
  assert.equal(
    (await memory.contextTree({ uri: 'tandem://agent', max_depth: 1 })).tree[0]?.children.length,
    0,
  );
  for (const uri of ['tandem://session/ses_8', 'file:///etc/passwd', 'tandem://nowhere'])
    await assert.rejects(memory.contextResolveUri(uri), refused('CONTEXT_NOT_FOUND'), uri);
  await assert.rejects(memory.contextGenerateLayers('ctx_x'), refused('CONTEXT_NOT_FOUND'));
});

test('an import over HTTP that would remove most of a folder is refused with 409 until it is allowed', async (t) => {
  const { ask, memory, folder, put } = await opened(t);
  put('a.md', 'The blue switch restarts it.');
  const request = {
    source: { kind: 'path', path: folder },
    format: 'directory',
    tier: 'project',
    project_id: 'shop',
    sync_deletes: true,
  };
  await ask('POST', '/memory/import', request);
  rmSync(join(folder, 'a.md'));
  const refusal = await ask('POST', '/memory/import', request);
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'IMPORT_WOULD_EMPTY']);
  const found = async () => (await memory.search('blue switch', { project_id: 'shop' })).results.length;
  assert.equal(await found(), 1);
  assert.equal(
    (await ask('POST', '/memory/import', { ...request, allow_empty: true })).body.deleted_files,
    1,
  );
  assert.equal(await found(), 0);
});

test('what is stored for a session alone goes when the session is deleted, and nothing else does', async (t) => {
  const { ask, memory, folder, put } = await opened(t);
  put('a.md', 'The blue switch restarts it.');
  const id = (await ask('POST', '/session', {})).body.id;
  const at = { source: { kind: 'path', path: folder }, format: 'directory' };
  await ask('POST', '/memory/import', { ...at, tier: 'session', session_id: id, project_id: null });
  await ask('POST', '/memory/put', { content: 'The blue switch is loud.', kind: 'note', tier: 'global' });
  const note = { content: 'The blue switch is on the left.', kind: 'note', session_id: id };
  assert.equal((await ask('POST', '/memory/put', { ...note, tier: 'session' })).body.stored, true);
  const tiers = async () =>
    (await memory.search('blue switch', { session_id: id })).results.map(({ tier }) => tier).sort();
  assert.deepEqual(await tiers(), ['global', 'session', 'session']);
  assert.equal((await ask('DELETE', `/session/${id}`)).status, 200);
  assert.deepEqual(await tiers(), ['global']);
});

test('with memory that ends when its session is archived nothing is stored for one that is, by clients and by models', async (t) => {
  const service = await openService(t, { memorySettings: { endArchived: true } });
  const { ask } = service;
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'a.md'), 'The blue switch restarts it.');
  const id = await service.session();
  const archive = (archived: boolean) => ask('PATCH', `/session/${id}`, { archived });
  const own = { tier: 'session', session_id: id };
  const put = (content: string) => ask('POST', '/memory/put', { content, kind: 'note', ...own });
  const load = () =>
    ask('POST', '/memory/import', { source: { kind: 'path', path: folder }, format: 'directory', ...own });
  const stored = async () => (await ask('GET', '/memory')).body.count;
  assert.equal((await put('The blue switch is loud.')).status, 200);
  await archive(true);
  assert.equal(await stored(), 0);
  for (const call of [() => put('The red switch is loud.'), load]) {
    const { status, body } = await call();
    assert.deepEqual([status, body.code], [400, 'INVALID_MEMORY_CALL']);
    assert.match(body.error, /session_id: the session "\w+" is archived/);
  }
  const { runID, call } = await service.prompt(id, 'note it');
  call.callTool('memory_store', { content: 'The blue switch is loud.', tier: 'session' });
  const next = await service.raw.next();
  assert.match(JSON.stringify(next.body.messages), /is archived, and what is stored for it alone ended/);
  next.answer('I cannot.');
  await service.kit.engine.finished(runID);
  assert.equal(await stored(), 0);
  await archive(false);
  assert.deepEqual(
    [(await put('The red switch is loud.')).status, (await load()).status, await stored()],
    [200, 200, 2],
  );
});

test('an import refuses what it would pass over, and names each field as it was sent', async (t) => {
  const { ask, memory, folder, put } = await opened(t);
  put('a.md', 'The blue switch restarts it.');
  const id = (await ask('POST', '/session', {})).body.id;
  const request = { source: { kind: 'path', path: folder }, format: 'directory' };
  for (const [more, words] of [
    [{ tier: 'global', allow_empty: true }, /allow_empty: it goes with sync_deletes/],
    [{ tier: 'global', session_id: 'ses_none' }, /session_id: only the session tier/],
    [{ tier: 'global', session_id: id }, /session_id: only the session tier/],
    [{}, /project_id: the project tier needs the project/],
    [{ tier: 'session' }, /session_id: the session tier needs the session/],
    [{ tier: 'global', format: 'journal', sync_deletes: true }, /no sync_deletes/],
    [{ tier: 'global', account: '7' }, /account: only an export of a platform has rooms of an account/],
  ] as const) {
    const { status, body } = await ask('POST', '/memory/import', { ...request, ...more });
    assert.equal(status, 400, JSON.stringify(more));
    assert.match(body.error, words);
    assert.doesNotMatch(body.error, /sessionID|projectID|allowEmpty|syncDeletes/);
  }
  assert.equal((await memory.list()).count, 0);
});

test('for a session that is not there nothing is stored, which would have no end', async (t) => {
  const { ask, memory } = await opened(t);
  const note = { content: 'The blue switch is loud.', kind: 'note', tier: 'session', session_id: 'ses_none' };
  const { status, body } = await ask('POST', '/memory/put', note);
  assert.deepEqual([status, body.code], [400, 'INVALID_MEMORY_CALL']);
  assert.match(body.error, /expected the id of a session for the session tier, received "ses_none"/);
  assert.equal((await memory.list()).count, 0);
});
