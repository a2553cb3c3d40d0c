// Names of Tandem's wire and of its client, as its documents have them, over HTTP and the typed client.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { openService, type Service } from '../engine/http/service-kit.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clientOf = (service: Service) =>
  clientInProcess(service.kit.engine, { clock: systemClock, log: quietLog().log, version: '1' });

test('a started run names its context run in both spellings, and its deltas have a state', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const calling = service.raw.next();
  const { body } = await service.ask('POST', `/session/${id}/prompt_async?return=run`, {
    parts: [{ type: 'text', text: 'Hello' }],
  });
  const { runID, contextRunID, linked_context_run_id: linked } = body;
  assert.deepEqual([contextRunID, linked], [runID, runID]);
  const call = await calling;
  call.say('Hi');
  const events = service.kit.engine.events({ runID, unfinished: true }, AbortSignal.timeout(20_000));
  for await (const event of events)
    if (event.type === 'message.part.updated') {
      assert.equal(event.properties.part.state, 'running');
      break;
    }
  call.finish();
  await service.kit.engine.finished(runID);
});

test('a request for approval says where its arguments are from, that they are whole, and its query', async (t) => {
  const service = await openService(t, { policy: { tools: { memory_search: 'ask' } } });
  const { runID, call } = await service.prompt(await service.session(), 'Hello');
  const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  call.callTool('memory_search', { query: 'boats' });
  for await (const event of events)
    if (event.type === 'permission.asked') {
      const { argsSource, argsIntegrity, query } = event.properties;
      assert.deepEqual([argsSource, argsIntegrity, query], ['model', 'whole', 'boats']);
      break;
    }
  const [listed] = (await service.ask('GET', '/permission')).body;
  assert.deepEqual([listed.argsSource, listed.argsIntegrity, listed.query], ['model', 'whole', 'boats']);
});

test('the calls of the client take an object, as in the documents', async (t) => {
  const service = await openService(t, { model: { provider: 'offline' } });
  const { memory, sessions, stream } = clientOf(service);
  const { id } = await memory.put({ content: 'The sail is white.', kind: 'note' });
  assert.equal((await memory.search({ query: 'sail' })).results[0]?.id, id);
  const { tree } = await memory.contextTree({ uri: 'tandem://resources' });
  assert.ok(Array.isArray(tree));
  assert.equal((await memory.demote({ id: id ?? '' })).ok, true);
  const session = await sessions.create();
  assert.equal((await sessions.share(session.id)).shared, true);
  assert.equal((await sessions.share(session.id, false)).shared, undefined);
  assert.equal((await sessions.abort(session.id)).cancelled, false);
  const { runID } = await sessions.promptAsync(session.id, 'Hello');
  const types: string[] = [];
  for await (const { type } of stream(session.id, runID)) types.push(type);
  assert.equal(types.at(-1), 'session.run.finished');
});

test('a record takes null as its metadata, and an import a path that begins with ~', async (t) => {
  const service = await openService(t, { model: { provider: 'offline' } });
  const put = await service.ask('POST', '/memory/put', { content: 'The mast is red.', metadata: null });
  assert.deepEqual([put.status, put.body.stored], [200, true]);
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes', 'a.md'), 'The boat is moored at pier four.');
  const path = `~/${relative(homedir(), join(folder, 'notes'))}`;
  const imported = await service.ask('POST', '/memory/import', {
    ...{ source: { kind: 'path', path }, format: 'directory', tier: 'global' },
  });
  assert.deepEqual([imported.status, imported.body.indexed_files], [200, 1], JSON.stringify(imported.body));
});

test('what would be ignored is refused: tools that are not there, an end before now or in seconds, a retrieval gateway', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  for (const field of ['tool_allowlist', 'toolAllowlist'])
    for (const name of ['memory_serch', 'nothing_*', 'mcp_none_read']) {
      const body = { parts: [{ type: 'text', text: 'Hello' }], [field]: [name] };
      for (const route of ['prompt_async?return=run', 'prompt_sync']) {
        const refused = await service.ask('POST', `/session/${id}/${route}`, body);
        assert.deepEqual([refused.status, refused.body.code], [400, 'UNKNOWN_TOOL'], name);
        assert.ok(refused.body.error.includes(name), refused.body.error);
      }
    }
  const now = service.clock.now();
  const put = (more: object) =>
    service.ask('POST', '/memory/put', { content: 'x y', tier: 'global', ...more });
  const { body: stored } = await put({});
  const know = (more: object) =>
    service.ask('POST', '/memory/knowledge/promote', {
      ...{ source_memory_id: stored.id, subject: 'boats', reason: 'a test' },
      ...more,
    });
  for (const [send, field] of [
    [put, 'expires_at_ms'],
    [know, 'freshness_expires_at_ms'],
  ] as const) {
    for (const expires of [now, now - 1, Math.floor(now / 1000) + 60, -1, 0]) {
      const { status, body } = await send({ [field]: expires });
      assert.deepEqual([status, body.error.includes(field)], [400, true], `${expires}: ${body.error}`);
    }
    assert.equal((await send({ [field]: now + 1_000 })).status, 200, field);
  }
  const search = (gateway: unknown) =>
    service.ask('POST', '/memory/search', { query: 'x', retrieval_gateway: gateway });
  assert.equal((await search({ url: 'http://127.0.0.1' })).status, 400);
  assert.equal((await search(null)).status, 200);
  const preflight = { subject: 'x', retrieval_gateway: { url: 'http://127.0.0.1' } };
  assert.equal((await service.ask('POST', '/memory/preflight', preflight)).status, 400);
});
