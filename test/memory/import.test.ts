// Files into memory: read once, replaced when they change, one bad file told and passed over.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { ImportRequest } from '#memory/types/import.ts';
import type { Scope } from '#memory/types/scope.ts';
import { freshPath, mine, openMemory } from './open-memory.ts';

const where = { audience: 'person:per_1', restricted: true } as const;

/** A memory and a folder with these files. */
function stage(t: Parameters<typeof freshPath>[0], files: Record<string, string | Uint8Array>) {
  const path = freshPath(t);
  const root = join(dirname(path), 'files');
  const put = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  const memory = openMemory(t, { path });
  const run = (more: Partial<ImportRequest> = {}) =>
    memory.importPath({ path: root, format: 'directory', where, ...more });
  const texts = async (text: string, more: { scope?: Scope; projectID?: string } = {}) =>
    (await memory.search({ text, scope: mine, ...more })).hits.map((hit) => hit.text);
  return { memory, root, put, run, texts };
}

const turn = (id: string, speaker: string, text: string, session = 's1') =>
  JSON.stringify({ id, session, at: '2026-03-04T10:00:00Z', speaker, text });

test('a request that does not fit, and a path with nothing in it, are refused with a message', async (t) => {
  const { run } = stage(t, { 'a.md': 'text' });
  // what a caller without types could pass
  await assert.rejects(run({ where: { audience: 'all' as 'room:x', restricted: true } }), {
    code: 'invalid_import',
  });
  await assert.rejects(run({ format: 'zip' as 'directory' }), { code: 'invalid_import' });
  await assert.rejects(run({ path: '/nowhere/at/all' }), { code: 'nothing_to_import' });
});

test('documents are found by their text and by the headings above it, inside their audience alone', async (t) => {
  const { run, texts } = stage(t, {
    'guide.md':
      '---\ntitle: x\n---\n# Bicycles\n\n## Saddles\n\nLeather wants grease.\n\n## Chains\n\nOil them.\n',
    'notes/plain.txt': 'The greenhouse needs a new door.\n',
    'picture.png': 'not text',
  });
  const report = await run();
  assert.deepEqual(report.files, { stored: 2, unchanged: 0, empty: 0, failed: 0 });
  assert.equal(report.chunks.stored, 3);
  assert.deepEqual(await texts('leather'), ['Bicycles > Saddles\nLeather wants grease.']);
  assert.deepEqual((await texts('saddles'))[0], 'Bicycles > Saddles\nLeather wants grease.');
  assert.deepEqual(await texts('greenhouse door'), ['The greenhouse needs a new door.']);
  const other: Scope = { audiences: ['person:per_2'], spaces: [], everyone: true };
  assert.deepEqual(await texts('leather', { scope: other }), []);
});

test('an unchanged file is skipped, a changed one replaced, a vanished one removed when that is asked for (TAY)', async (t) => {
  const { run, put, texts, root, memory } = stage(t, {
    'a.md': 'The bike is green.',
    'b.md': 'The boat is red.',
  });
  await run();
  assert.deepEqual((await run()).files, { stored: 0, unchanged: 2, empty: 0, failed: 0 });
  put('a.md', 'The bike is yellow.');
  rmSync(join(root, 'b.md'));
  const saved = await run();
  assert.deepEqual([saved.files, saved.deleted], [{ stored: 1, unchanged: 0, empty: 0, failed: 0 }, 0]);
  assert.equal((await texts('boat')).length, 1);
  const report = await run({ syncDeletes: true });
  assert.deepEqual([report.files.unchanged, report.deleted], [1, 1]);
  assert.deepEqual(report.chunks, { stored: 0, removed: 1 });
  assert.deepEqual(await texts('bike'), ['The bike is yellow.']);
  assert.deepEqual(await texts('boat'), []);
  assert.deepEqual(await memory.verify(), { problems: [], traces: [] });
});

test('a bad file is reported with its place, keeps what was known of it, and does not stop the rest (TAY)', async (t) => {
  const good = [turn('1', 'Ann', 'I bought a canoe.'), turn('2', 'Ben', 'Where do you paddle it?')].join(
    '\n',
  );
  const { run, put, texts } = stage(t, { 'a.jsonl': good, 'b.jsonl': turn('1', 'Cat', 'My kite is blue.') });
  await run({ format: 'transcript' });
  put('a.jsonl', `${good}\n{"at": "yesterday", "speaker": "Ann", "text": "x"}`);
  put('b.jsonl', turn('1', 'Cat', 'My kite is torn.'));
  const report = await run({ format: 'transcript' });
  assert.deepEqual(report.files, { stored: 1, unchanged: 0, empty: 0, failed: 1 });
  assert.match(report.failures[0]?.words ?? '', /a\.jsonl, line 3: at: /);
  assert.equal((await texts('canoe'))[0], 'Ann said: I bought a canoe.');
  assert.deepEqual(await texts('kite'), ['Cat said: My kite is torn.']);
});

test('a file that is no text is reported, not stored', async (t) => {
  const { run } = stage(t, {
    'a.md': new Uint8Array([0x66, 0xff, 0xfe, 0x00]),
    'b.md': 'fine',
    'c.md': '\n',
  });
  const report = await run();
  assert.deepEqual(report.files, { stored: 1, unchanged: 0, empty: 1, failed: 1 });
});

test('a transcript in JSON is one project for each conversation, or the one that is given', async (t) => {
  const turns = (text: string) => [{ at: 1_700_000_000_000, speaker: 'Ann', text }];
  const conversations = [
    { id: 'first', turns: turns('The canoe is red.') },
    { id: 'second', turns: turns('The canoe is blue.') },
  ];
  const { run, texts } = stage(t, { 'a.json': JSON.stringify({ conversations }, null, 2) });
  await run({ format: 'transcript' });
  assert.deepEqual(await texts('canoe', { projectID: 'second' }), ['Ann said: The canoe is blue.']);
  assert.equal((await texts('canoe')).length, 2);
  assert.deepEqual(await texts('canoe', { projectID: 'third' }), []);
});

test('the answer is found next to the question that names its subject', async (t) => {
  const talk = [
    turn('1', 'Ann', 'Good morning, did you sleep well?'),
    turn('2', 'Ben', 'Yes. What did you name the new kayak?'),
    turn('3', 'Ann', 'Marigold, after my aunt.'),
    turn('4', 'Ben', 'See you on Sunday.'),
  ];
  const { run, memory } = stage(t, { 'a.jsonl': talk.join('\n') });
  await run({ format: 'transcript' });
  const { hits } = await memory.search({ text: 'What did Ann name the kayak?', scope: mine, limit: 2 });
  assert.deepEqual(hits.map((hit) => hit.messageIDs[0]).sort(), ['2', '3']);
  const { hits: recalled } = await memory.recall({ text: 'What did Ann name the kayak?', scope: mine });
  assert.ok(recalled.every((hit) => !hit.text.includes('Sunday')));
});

test('an import that was stopped goes on where it stopped', async (t) => {
  const files = Object.fromEntries([1, 2, 3, 4].map((n) => [`${n}.md`, `Entry ${n} of the garden.`]));
  const { run, texts } = stage(t, files);
  const stop = new AbortController();
  const first = await run({ signal: stop.signal, onFile: ({ done }) => done === 2 && stop.abort() });
  assert.deepEqual([first.complete, first.files.stored], [false, 2]);
  const second = await run();
  assert.deepEqual([second.complete, second.files.stored, second.files.unchanged], [true, 2, 2]);
  assert.equal((await texts('garden')).length, 4);
});

test('the words of a stranger’s turns next to a readable one are neither shown nor counted (L1)', async (t) => {
  const { memory, root, put } = stage(t, { 'a.jsonl': turn('1', 'Ann', 'The kayak is packed.') });
  put('b.jsonl', turn('2', 'Ben', 'The kayak has a leak and Marigold is its name.'));
  const load = (name: string, audience: `person:${string}`) =>
    memory.importPath({
      path: join(root, name),
      format: 'transcript',
      where: { audience, restricted: true },
      projectID: 'same',
    });
  await load('a.jsonl', 'person:per_1');
  const single = await memory.search({ text: 'kayak leak', scope: mine });
  await load('b.jsonl', 'person:per_2');
  const others = await memory.search({ text: 'kayak leak', scope: mine });
  assert.equal(others.hits.length, 1);
  assert.deepEqual(others, single);
});

test('a change of the same length within the same second is seen (TAY)', async (t) => {
  const { run, put, root, texts } = stage(t, { 'a.md': 'The bike is green.' });
  const at = new Date('2026-03-04T10:00:00Z');
  utimesSync(join(root, 'a.md'), at, at);
  await run();
  put('a.md', 'The bike is brown.');
  utimesSync(join(root, 'a.md'), at, at);
  assert.equal((await run()).files.stored, 1);
  assert.deepEqual(await texts('bike'), ['The bike is brown.']);
});

test('an import that breaks in the middle of a file leaves no chunk without its index, and is done by the next one (TAR)', async (t) => {
  const talk = Array.from({ length: 300 }, (_, n) => turn(String(n), 'Ann', `Entry ${n} of the garden.`));
  const { run, memory } = stage(t, { 'a.jsonl': talk.join('\n') });
  const file = new Database(memory.path);
  t.after(() => file.close());
  file.exec(`CREATE TRIGGER broken BEFORE INSERT ON global_memory_chunks WHEN new.ordinal = 290
    BEGIN SELECT RAISE(ABORT, 'no more'); END`);
  await assert.rejects(run({ format: 'transcript' }), { code: 'memory_unusable' });
  assert.deepEqual((await memory.verify()).problems, []);
  file.exec('DROP TRIGGER broken');
  assert.equal((await run({ format: 'transcript' })).chunks.stored, 300);
  assert.equal((await memory.status()).chunks, 300);
});

test('secrets in files are masked before they are stored, and counted (M44)', async (t) => {
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const { run, texts, memory } = stage(t, {
    'a.md': `# Setup\n\nThe deploy key is ${key}.`,
    'b.jsonl': turn('1', 'Ann', `Use ${key} to deploy.`),
  });
  assert.equal((await run()).redactions, 1);
  assert.equal((await run({ format: 'transcript' })).redactions, 1);
  assert.deepEqual((await texts('deploy')).sort(), [
    'Ann said: Use [redacted:github token] to deploy.',
    'Setup\nThe deploy key is [redacted:github token].',
  ]);
  assert.deepEqual((await memory.verify([key])).traces, []);
});

test('what is imported for a session or a project is read by it alone, next to the same files for all', async (t) => {
  const { run, memory } = stage(t, { 'a.md': 'The bike is green.' });
  await run({ tier: 'session', sessionID: 'ses_9' });
  await run({ tier: 'project', projectID: 'bikes', syncDeletes: true });
  const tiersFor = async (scope: Partial<Scope>) =>
    (await memory.search({ text: 'bike', scope: { ...mine, ...scope } })).hits.map(({ tier }) => tier);
  assert.deepEqual(await tiersFor({ sessionID: 'ses_9' }), ['session']);
  assert.deepEqual(await tiersFor({ sessionID: 'ses_1', projectID: 'bikes' }), ['project']);
  assert.deepEqual(await tiersFor({ sessionID: 'ses_1' }), []);
  await assert.rejects(run({ tier: 'session' }), { code: 'invalid_import' });
  await assert.rejects(run({ tier: 'project' }), { code: 'invalid_import' });
});

test('the memory of OpenClaw is found in its workspace and in the folder above it, each day at its date (TAX)', async (t) => {
  const { run, root, memory } = stage(t, {
    'workspace/MEMORY.md': '# Long term\n\nThe owner keeps bees.',
    'workspace/memory/2026-01-31.md': '# Notes\n\nThe hive was moved.',
    'workspace/memory/deep/topic.md': 'Wax melts at 62 degrees.',
    'workspace/README.md': 'Not a memory.',
    'workspace-second/MEMORY.md': 'The second agent counts queens.',
    'openclaw.json': '{}',
    'memory.txt': 'no',
  });
  const above = await run({ format: 'openclaw' });
  assert.deepEqual(above.files, { stored: 4, unchanged: 0, empty: 0, failed: 0 });
  const { hits } = await memory.search({ text: 'hive', scope: mine });
  assert.equal(hits[0]?.at, Date.UTC(2026, 0, 31));
  assert.equal((await run({ format: 'openclaw', path: join(root, 'workspace') })).files.unchanged, 3);
  await assert.rejects(run({ format: 'openclaw', path: join(root, 'workspace', 'memory', 'deep') }), {
    code: 'nothing_to_import',
  });
});

test('a note that was written twice on one day is stored once (M37)', async (t) => {
  const flush = '## Flush\n\nThe hive was moved to the orchard.\n\n';
  const { run, put, texts } = stage(t, { 'memory/2026-01-31.md': flush });
  await run({ format: 'openclaw' });
  put('memory/2026-01-31.md', flush + flush);
  await run({ format: 'openclaw' });
  assert.equal((await texts('hive orchard')).length, 1);
});
