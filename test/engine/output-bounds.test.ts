// What a model or its provider writes without end: arguments of tools, summaries, distillations and error bodies, each read up to a bound.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openService } from './http/service-kit.ts';
import { ask, begin, only, openKit, textBody, watch } from './support/kit.ts';
import { frame, type RawCall, startRaw } from './support/raw-provider.ts';

/** The beginning of a call of a tool, and a piece of its arguments. */
function callPiece(call: RawCall, args: string, name?: string): void {
  const begun = name === undefined ? {} : { id: 't_1', type: 'function' };
  const tool = { index: 0, ...begun, function: { ...(name === undefined ? {} : { name }), arguments: args } };
  call.write(frame({ tool_calls: [tool] }));
}

test('the arguments of a tool are output: beyond the limit the answer is stopped and the provider is no longer read', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings, limits: { outputChars: 1_000 } });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  callPiece(call, `{"todos":[{"id":"1","content":"${'x'.repeat(600)}`, 'todo_write');
  callPiece(call, 'y'.repeat(600));
  const run = await engine.finished(runID);
  assert.equal(run.failure?.code, 'OUTPUT_TOO_LONG');
  await call.closed;
  const messages = JSON.stringify(await engine.sessionMessages({ sessionID: id, reverted: true }));
  assert.doesNotMatch(messages, /xxx/, 'nothing of them is stored');
});

test('the arguments by which a file is written may be as long as a file, and no longer', async (t) => {
  const raw = await startRaw(t);
  const limits = { outputChars: 1_000, artifactBytes: 3_000 };
  const { engine } = await openKit(t, { model: raw.settings, limits });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('write it'));
  (await raw.next()).callTool('artifact', { name: 'a.txt', content: 'x'.repeat(2_900) });
  const next = await raw.next();
  next.say('Here.');
  next.finish();
  assert.equal((await engine.finished(runID)).artifacts?.[0]?.size, 2_900);
  const second = await begin(engine, id, textBody('and more'));
  const call = await raw.next();
  callPiece(call, '{"content":"', 'artifact');
  for (let piece = 0; piece < 8; piece += 1) callPiece(call, 'y'.repeat(1_000));
  assert.equal((await engine.finished(second)).failure?.code, 'OUTPUT_TOO_LONG');
  await call.closed;
});

test('a summary without end is given up, and the provider is no longer read', async (t) => {
  const service = await openService(t, { limits: { outputChars: 1_000 } });
  const id = await service.session();
  for (const word of ['one', 'two', 'three']) await service.exchange(id, word, `You said ${word}.`);
  const asked = service.ask('POST', `/session/${id}/summarize`);
  const call = await service.raw.next();
  for (let piece = 0; piece < 3; piece += 1) call.say('and so on '.repeat(50));
  const { status, body } = await asked;
  assert.deepEqual([status, body.code], [502, 'SUMMARY_FAILED']);
  await call.closed;
});

test('a distillation without end is given up, and rules find what they can', async (t) => {
  const service = await openService(t, { limits: { outputChars: 1_000 } });
  const id = await service.session();
  const said = 'My name is Ada and I prefer green tea over black tea. '.repeat(8);
  const asked = service.ask('POST', '/memory/context/distill', {
    session_id: id,
    conversation: [said],
    importance_threshold: 0,
  });
  const call = await service.raw.next();
  for (let piece = 0; piece < 3; piece += 1) call.say('and so on '.repeat(50));
  assert.equal((await asked).body.report.by, 'rules');
  await call.closed;
});

/** A provider that refuses every request with a body that never ends. */
async function refusing(t: TestContext) {
  let sent = 0;
  const gone = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384;
    };
    response.on('drain', more);
    response.on('close', gone.resolve);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // it listens on TCP
  return { baseUrl, gone: gone.promise, sent: () => sent };
}

test('a refusal without end is read up to a bound', async (t) => {
  const { baseUrl, gone, sent } = await refusing(t);
  const model = { provider: 'openai-compatible' as const, model: 'm', baseUrl };
  const { engine } = await openKit(t, { model });
  const { id } = await engine.createSession({});
  const run = await engine.finished(await begin(engine, id, textBody('hello')));
  assert.equal(run.failure?.code, 'PROVIDER_REQUEST_INVALID');
  await gone;
  assert.ok(sent() < 20_000_000, `${sent()} bytes`);
});

test('the arguments that write a large file are stored once next to it, and events say how long they were', async (t) => {
  const raw = await startRaw(t);
  const kit = await openKit(t, { model: raw.settings });
  const { id } = await kit.engine.createSession({});
  const content = 'one line of a table\n'.repeat(100_000);
  const events = watch(t, kit.engine, { sessionID: id });
  const runID = await begin(kit.engine, id, textBody('write it'));
  (await raw.next()).callTool('artifact', { name: 'a.txt', content });
  const next = await raw.next();
  assert.match(JSON.stringify(next.body.messages), /one line of a table/, 'the model sees what it wrote');
  next.say('Here.');
  next.finish();
  assert.equal((await kit.engine.finished(runID)).artifacts?.[0]?.size, content.length);
  const calls = only(events.seen, 'message.part.updated').flatMap(({ properties: { part } }) =>
    part.type === 'tool' ? [part] : [],
  );
  assert.deepEqual(
    calls.map(({ state }) => state),
    ['pending', 'running', 'completed'],
  );
  for (const { args } of calls)
    assert.match(JSON.stringify(args).slice(0, 100), /^\{"cut":"2\d{6} characters, the first are shown"/);
  await kit.engine.close();
  const sizes = readdirSync(kit.folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const about = statSync(join(kit.folder, name));
    return { name, size: about.isFile() ? about.size : 0 };
  });
  const all = sizes.reduce((sum, { size }) => sum + size, 0);
  const large = sizes.filter(({ size }) => size > content.length / 2);
  assert.ok(all < 4 * content.length, JSON.stringify(large));
});

test('of the calls that a model makes at once sixteen are carried out, and the rest are refused with a message', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const asked = ask(engine, id, 'look often');
  const first = await raw.next();
  const calls = Array.from({ length: 18 }, (_, index) => ({
    ...{ index, id: `t_${index}`, type: 'function' },
    function: { name: 'todo_read', arguments: '{}' },
  }));
  first.write(`${frame({ tool_calls: calls })}${frame({}, 'tool_calls')}data: [DONE]\n\n`);
  first.end();
  const last = await raw.next();
  last.say('Nothing.');
  last.finish();
  assert.equal((await asked).text, 'Nothing.');
  const parts = (await engine.messages(id)).flatMap((message) => message.parts);
  const ends = parts.flatMap((part) => (part.type === 'tool' ? [part.error ?? 'carried out'] : []));
  assert.deepEqual(ends, [
    ...Array.from({ length: 16 }, () => 'carried out'),
    ...Array.from({ length: 2 }, () => 'At most 16 calls can be made at once.'),
  ]);
});
