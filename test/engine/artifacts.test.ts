// Files that runs write: for the person, safely named, bounded, and gone with their session.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileName } from '#engine/artifacts/artifacts.ts';
import { anyCharacter } from '../support/any-character.ts';
import { openService, type Service } from './http/service-kit.ts';
import { only, watch } from './support/kit.ts';

async function writes(service: Service, id: string, args: object) {
  const { runID, call } = await service.prompt(id, 'write');
  call.callTool('artifact', args);
  const next = await service.raw.next();
  next.say('Here it is.');
  next.finish();
  return { run: await service.kit.engine.finished(runID), told: JSON.stringify(next.body.messages) };
}

test('whatever a model calls a file, it is one segment of a path, and never empty (T27)', () => {
  for (const [given, made] of [
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\x\\report.csv', 'C_x_report.csv'],
    ['..', 'file'],
    ['a\u0000b\n.txt', 'a_b_.txt'],
    ['Zoë’s plan.md', 'Zoë’s plan.md'],
    [`${'x'.repeat(500)}.json`, `${'x'.repeat(115)}.json`],
  ] as const)
    assert.equal(fileName(given), made);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (given) => {
      const name = fileName(given);
      assert.match(name, /^[^/\\\p{C}]{1,120}$/u);
      assert.doesNotMatch(name, /^\.+$/);
    }),
  );
});

test('a file that a run writes is whole under the home folder, a part of the answer, on the run and over HTTP', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const events = watch(t, service.kit.engine, { sessionID: id });
  const content = 'name;age\nZoë;7\n';
  const { run, told } = await writes(service, id, { name: '../ages.csv', media_type: 'text/csv', content });
  const [file] = run.artifacts ?? [];
  assert.ok(file !== undefined);
  const size = Buffer.byteLength(content);
  assert.deepEqual(
    [file.name, file.mediaType, file.size, file.runID],
    ['_ages.csv', 'text/csv', size, run.runID],
  );
  const onDisk = join(service.kit.folder, file.path);
  assert.equal(readFileSync(onDisk, 'utf8'), content);
  assert.equal(statSync(onDisk).mode & 0o077, 0);
  assert.doesNotMatch(told, /Zoë;7\\n"}\]/);
  const [, answer] = await service.kit.engine.messages(id);
  const part = answer?.parts.find(({ type }) => type === 'file');
  assert.deepEqual(part, {
    type: 'file',
    mime: 'text/csv',
    filename: '_ages.csv',
    url: `artifact:${file.id}`,
  });
  await events.until(({ type }) => type === 'session.run.finished');
  const parts = only(events.seen, 'message.part.updated').map(({ properties }) => properties.part);
  assert.deepEqual(parts.find(({ type }) => type === 'file')?.artifact, file);
  const response = await service.send('GET', `/artifact/${file.id}`);
  assert.equal(await response.text(), content);
  assert.equal(response.headers.get('content-type'), 'application/octet-stream');
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; .*_ages\.csv$/);
  assert.equal((await service.ask('GET', '/artifact/art_none')).status, 404);
  await service.restart();
  assert.deepEqual((await service.ask('GET', `/runs/${run.runID}`)).body.artifacts, [file]);
  await service.ask('DELETE', `/session/${id}`);
  assert.equal(existsSync(onDisk), false);
  assert.equal((await service.ask('GET', `/artifact/${file.id}`)).status, 404);
});

test('files that are too large or too many are refused with a message, and nothing of them is stored', async (t) => {
  const service = await openService(t, { limits: { artifactBytes: 10, artifactsPerRun: 1 } });
  const id = await service.session();
  const large = await writes(service, id, { name: 'a.txt', content: 'x'.repeat(11) });
  assert.match(large.told, /The file has 11 bytes; 10 are allowed/);
  assert.equal(large.run.artifacts, undefined);
  const { runID, call } = await service.prompt(id, 'two');
  call.callTool('artifact', { name: 'a.txt', content: 'x' });
  (await service.raw.next()).callTool('artifact', { name: 'a.txt', content: 'y' });
  const last = await service.raw.next();
  last.say('One.');
  last.finish();
  assert.equal((await service.kit.engine.finished(runID)).artifacts?.length, 1);
  assert.match(JSON.stringify(last.body.messages), /A run may write 1 files/);
});

test('what did not fit into a tool result can be read whole, and is not sent to the person', async (t) => {
  const service = await openService(t, { limits: { toolChars: 200 } });
  const id = await service.session();
  const todos = Array.from({ length: 20 }, (_, i) => ({
    id: `${i}`,
    content: 'water the plants',
    status: 'pending',
  }));
  const { runID, call } = await service.prompt(id, 'plan');
  call.callTool('todo_write', { todos });
  const next = await service.raw.next();
  const [, keptAs = ''] = /keptAs[^a-z]*(art_\w+)/.exec(JSON.stringify(next.body.messages)) ?? [];
  next.say('Done.');
  next.finish();
  assert.equal((await service.kit.engine.finished(runID)).artifacts, undefined);
  const saved = await (await service.send('GET', `/artifact/${keptAs}`)).json();
  assert.deepEqual(saved, { todos });
});

test('a file is answered from a byte on, as long as it is the same, and a range outside of it is refused', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { run } = await writes(service, id, { name: 'a.txt', content: '0123456789' });
  const at = `/artifact/${run.artifacts?.[0]?.id}`;
  const whole = await service.send('GET', at);
  const tag = whole.headers.get('etag') ?? '';
  assert.match(tag, /^"[0-9a-f]{64}"$/);
  assert.deepEqual(
    [whole.status, whole.headers.get('accept-ranges'), whole.headers.get('content-length')],
    [200, 'bytes', '10'],
  );
  for (const [headers, status, text, range] of [
    [{ range: 'bytes=4-' }, 206, '456789', 'bytes 4-9/10'],
    [{ range: 'bytes=4-', 'if-range': tag }, 206, '456789', 'bytes 4-9/10'],
    [{ range: 'bytes=4-', 'if-range': '"another"' }, 200, '0123456789', null],
    [{ range: 'bytes=2-3' }, 206, '23', 'bytes 2-3/10'],
    [{ range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789', null],
    [{ range: 'lines=1-2' }, 200, '0123456789', null],
  ] as const) {
    const part = await service.send('GET', at, { headers });
    const told = [part.status, await part.text(), part.headers.get('content-range')];
    assert.deepEqual(told, [status, text, range], JSON.stringify(headers));
  }
  for (const range of ['bytes=10-', 'bytes=5-4', 'bytes=-0']) {
    const refused = await service.send('GET', at, { headers: { range } });
    assert.deepEqual([refused.status, refused.headers.get('content-range')], [416, 'bytes */10'], range);
  }
});
