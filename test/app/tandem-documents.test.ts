// The commands and requests of Tandem's documents, run as they stand there. Each list names the section that it is from.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { openService } from '../engine/http/service-kit.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const internals = join(root, '../shared/spec/tandem-memory-internals.txt');

/** tandem-memory-internals, "File and OpenClaw imports", CLI examples. */
const commands = [
  'tandem-engine memory import --path ./notes --format directory --tier global',
  'tandem-engine memory import --path ./docs --format directory --tier project --project-id repo-123 --sync-deletes',
  'tandem-engine memory import --path ./handoff --format directory --tier session --session-id sess-123',
  'tandem-engine memory import --path ~/.openclaw --format openclaw --tier global',
];

/** The same section, HTTP request; its path is a folder of the test. */
const importRequest = (path: string) => ({
  source: { kind: 'path', path },
  format: 'directory',
  tier: 'project',
  project_id: 'company-brain-demo',
  session_id: null,
  sync_deletes: true,
});

function put(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A session with that id, as an export of another engine has it. */
function putSession(folder: string, id: string): void {
  put(
    folder,
    'export/sessions.json',
    JSON.stringify([{ id, title: 'Handoff', time: { created: 1, updated: 1 }, messages: [] }]),
  );
}

test('the documented commands of the import run as they stand there', (t) => {
  const folder = tempFolder(t);
  put(folder, 'notes/boat.md', 'The boat is moored at pier four.');
  put(folder, 'docs/policy.md', 'Refunds take nine days.');
  put(folder, 'handoff/open.txt', 'The lamp still has to be fixed.');
  put(folder, '.openclaw/workspace/MEMORY.md', 'The cat is called Minka.');
  put(folder, 'parley.config.json', JSON.stringify({ home: 'home', log: { level: 'silent' } }));
  const env = { ...process.env, HOME: folder };
  const run = (command: string) =>
    spawnSync(
      'sh',
      ['-c', command.replace('tandem-engine', `"${process.execPath}" "${join(root, 'bin/parley.js')}"`)],
      { cwd: folder, env, encoding: 'utf8' },
    );
  putSession(folder, 'sess-123');
  assert.equal(run('tandem-engine import ./export').status, 0);
  for (const command of commands) {
    const { status, stdout, stderr } = run(command);
    assert.equal(status, 0, `${command}: ${stderr}`);
    assert.match(stdout, /1 stored, 0 unchanged, 0 empty, 0 failed/, command);
  }
  const listed = JSON.parse(run('tandem-engine memory list --json').stdout) as {
    entries: { text: string; tier: string; audience: string; sessionID: string }[];
  };
  const found = listed.entries.map(({ text, tier, audience }) => [tier, audience, text.split('\n').at(-1)]);
  assert.deepEqual(found.sort(), [
    ['global', 'person:operator', 'The boat is moored at pier four.'],
    ['global', 'person:operator', 'The cat is called Minka.'],
    ['project', 'person:operator', 'Refunds take nine days.'],
    ['session', 'person:operator', 'The lamp still has to be fixed.'],
  ]);
  assert.match(run('tandem-engine memory search boat --project-id repo-123').stdout, /pier four/);
});

test('every command of the document is in this list', (t) => {
  if (!existsSync(internals)) return t.skip(`${internals} is not there`);
  const text = readFileSync(internals, 'utf8');
  const documented = text.split('\n').filter((line) => line.startsWith('tandem-engine '));
  assert.deepEqual(documented, commands);
});

test('the documented import over HTTP is answered with every field of the document, and refused by its rules', async (t) => {
  const service = await openService(t);
  const folder = tempFolder(t);
  put(folder, 'company-docs/policy.md', 'Refunds take nine days.');
  put(folder, 'company-docs/empty.md', '');
  const request = importRequest(join(folder, 'company-docs'));
  const { status, body } = await service.ask('POST', '/memory/import', request);
  assert.equal(status, 200);
  const { failures, redactions, ...documented } = body;
  assert.deepEqual([failures, redactions], [[], 0]);
  assert.deepEqual(documented, {
    ok: true,
    ...request,
    discovered_files: 2,
    files_processed: 2,
    indexed_files: 1,
    skipped_files: 1,
    deleted_files: 0,
    chunks_created: 1,
    errors: 0,
  });
  const { project_id: _, ...withoutProject } = request;
  for (const wrong of [
    { ...request, source: { kind: 'url', path: 'http://x' } },
    { ...request, source: { kind: 'path', path: '' } },
    { ...request, source: { kind: 'path', path: join(folder, 'nowhere') } },
    withoutProject,
    { ...request, tier: 'session' },
  ])
    assert.equal((await service.ask('POST', '/memory/import', wrong)).status, 400, JSON.stringify(wrong));
});

test('an import stores passages of its tier, which no list of governed records has', async (t) => {
  const service = await openService(t);
  const folder = tempFolder(t);
  put(folder, 'company-docs/policy.md', 'Refunds take nine days.');
  await service.ask('POST', '/memory/import', importRequest(join(folder, 'company-docs')));
  const database = new Database(join(service.kit.folder, 'memory.sqlite'), { readonly: true });
  t.after(() => database.close());
  const all = (table: string) => database.prepare(`SELECT content FROM ${table}`).pluck().all();
  assert.deepEqual(all('project_memory_chunks'), ['Refunds take nine days.']);
  assert.deepEqual(all('memory_records'), []);
});

/** tandem-memory-internals, "Public APIs worth knowing", in the order of a memory's life. */
test('each documented call of the client works', async (t) => {
  const service = await openService(t, { model: { provider: 'offline' } });
  const { memory } = clientInProcess(service.kit.engine, {
    clock: systemClock,
    log: quietLog().log,
    version: '1',
  });
  const folder = tempFolder(t);
  put(folder, 'note.md', 'The mast is red.');
  const session_id = await service.session();
  const note = { content: 'The sail is white.', kind: 'note', tier: 'session', session_id } as const;
  const saved = await memory.put(note);
  const id = saved.id ?? '';
  await memory.importPath({ source: { kind: 'path', path: folder }, format: 'directory', tier: 'global' });
  assert.equal((await memory.search({ query: 'sail' })).results[0]?.id, id);
  assert.equal((await memory.list({ limit: 10, offset: 0 })).count, 2);
  assert.equal(
    (await memory.promote({ source_memory_id: id, to_tier: 'global', reason: 'of use' })).promoted,
    true,
  );
  assert.equal((await memory.demote({ id })).ok, true);
  assert.deepEqual((await memory.search({ query: 'sail' })).results, []);
  assert.ok((await memory.audit({ limit: 50 })).events.some(({ action }) => action === 'demote'));
  const { tree } = await memory.contextTree({ uri: 'tandem://resources', max_depth: 3 });
  assert.ok(tree.length > 0);
  const { node } = await memory.contextResolveUri({ uri: tree[0]?.uri ?? '' });
  assert.equal((await memory.contextGenerateLayers({ node_id: node.id })).ok, true);
  const said = 'I always want answers in French, and my boat is called Minka. '.repeat(5);
  const distilled = await memory.contextDistill({ session_id, conversation: [said, 'Noted.'] });
  assert.deepEqual([distilled.ok, distilled.session_id], [true, session_id]);
  assert.equal((await memory.delete({ id })).ok, true);
});

/** tandem-wire, "Memory: HTTP", as its bodies are there. */
test('the bodies of the memory routes are taken as the wire has them', async (t) => {
  const { ask } = await openService(t);
  const partition = { org_id: 'local', workspace_id: 'local', project_id: 'p1', tier: 'project' };
  const stored = await ask('POST', '/memory/put', {
    ...{
      run_id: 'run_1',
      partition,
      kind: 'solution_capsule',
      content: 'Restart the pump.',
      artifact_refs: [],
    },
    ...{ classification: 'internal', metadata: {}, private: true, capability: null },
  });
  assert.deepEqual(
    [stored.status, stored.body.stored, stored.body.partition_key],
    [200, true, 'local/local/p1/project'],
  );
  const search = {
    run_id: 'run_1',
    query: 'pump',
    read_scopes: ['session', 'project', 'team'],
    partition,
    limit: 8,
  };
  const found = await ask('POST', '/memory/search', search);
  const { results, scopes_used, blocked_scopes, audit_id } = found.body;
  assert.deepEqual([results.length, scopes_used, blocked_scopes], [1, ['session', 'project'], ['team']]);
  assert.match(audit_id, /^aud_/);
  const promote = {
    run_id: 'run_1',
    source_memory_id: stored.body.id,
    from_tier: 'project',
    partition,
    reason: 'of use',
  };
  assert.equal((await ask('POST', '/memory/promote', { ...promote, to_tier: 'team' })).status, 403);
  const promoted = await ask('POST', '/memory/promote', { ...promote, to_tier: 'global' });
  assert.deepEqual([promoted.body.promoted, promoted.body.new_memory_id], [true, stored.body.id]);
  assert.equal((await ask('POST', '/memory/demote', { id: stored.body.id, run_id: 'run_1' })).body.ok, true);
  assert.equal((await ask('GET', '/memory?limit=10&offset=0&project_id=p1')).status, 200);
  assert.equal((await ask('DELETE', `/memory/${stored.body.id}`)).body.ok, true);
});

/** tandem-wire, `prompt_async`, and tandem-under-the-hood, "Run Lifecycle". */
test('the documented prompt, with every option of the wire, runs to its end', async (t) => {
  const service = await openService(t);
  const session = (
    await service.ask('POST', '/session', { title: 'x', directory: '.', workspaceRoot: '/srv' })
  ).body;
  const path = `/session/${session.id}/prompt_async`;
  const url = `data:text/plain;base64,${Buffer.from('The boat is blue.').toString('base64')}`;
  const body = {
    parts: [
      { type: 'text', text: 'What colour?' },
      { type: 'file', mime: 'text/plain', filename: 'boat.txt', url },
    ],
    ...{ model: { provider_id: 'openai-compatible', model_id: 'm' }, tool_mode: 'auto' },
    ...{ tool_allowlist: ['memory_search', 'memory_store', 'memory_list'], strict_kb_grounding: false },
    ...{ context_mode: 'compact', temperature: 0.1, top_p: 1, max_tokens: 200 },
  };
  const calling = service.raw.next();
  const headers = { 'x-tandem-idempotency-key': 'k1' };
  const started = await service.send('POST', `${path}?return=run`, { body, headers });
  const told = (await started.json()) as { runID: string; attachEventStream: string };
  assert.equal(started.status, 202);
  assert.equal(started.headers.get('x-tandem-run-id'), told.runID);
  assert.equal(told.attachEventStream, `/event?sessionID=${session.id}&runID=${told.runID}`);
  const call = await calling;
  assert.match(JSON.stringify(call.body.messages), /The boat is blue/);
  const conflict = await service.ask('POST', path, { parts: [{ type: 'text', text: 'And?' }] });
  assert.deepEqual([conflict.status, conflict.body.code], [409, 'SESSION_RUN_CONFLICT']);
  call.say('Blue.');
  call.finish();
  await service.kit.engine.finished(told.runID);
  const again = await service.send('POST', `${path}?return=run`, { body, headers });
  assert.deepEqual(
    [again.status, ((await again.json()) as { idempotentReplay?: true }).idempotentReplay],
    [202, true],
  );
  for (const what of ['diff', 'snapshots', 'todo', 'children', 'message'])
    assert.equal((await service.ask('GET', `/session/${session.id}/${what}`)).status, 200, what);
});
