// The published client against the real engine over a real socket: it chats, is told of events, and comes back.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createClient, refusalOf } from '#engine/client/client.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openKit } from '../support/kit.ts';
import { startRaw } from '../support/raw-provider.ts';

const token = 'a-token-of-the-test-and-no-secret';

async function serve(t: TestContext) {
  const raw = await startRaw(t);
  const kit = await openKit(t, { model: raw.settings, policy: { tools: { todo_read: 'ask' } } });
  const { log } = quietLog();
  const clock = systemClock;
  let port = 0;
  const open = async () => {
    const hosts = () => ownHosts({ host: '127.0.0.1', port });
    const app = createHttpApp({ engine: kit.engine, token, hosts, clock, log, version: '1' });
    const server = await serveHttp({ app, host: '127.0.0.1', port, clock, log });
    port = server.port;
    return server;
  };
  let server = await open();
  t.after(() => server.close());
  const baseUrl = server.url;
  return {
    kit,
    raw,
    baseUrl,
    client: createClient({ baseUrl, token }),
    /** Ends every connection, and listens again; the engine continues. */
    async cut() {
      await server.close();
      server = await open();
    },
    /** Ends the server and the engine, and starts both again on the same port and files. */
    async restart() {
      await server.close();
      await kit.restart();
      server = await open();
    },
  };
}

test('what the engine refuses is thrown with its words and code, a conflict with the run that is active', async (t) => {
  const { client, raw, baseUrl } = await serve(t);
  const missing = refusalOf(await client.sessions.get('ses_none').catch((error: unknown) => error));
  assert.deepEqual([missing?.status, missing?.code, missing?.retryable], [404, 'SESSION_NOT_FOUND', false]);
  const stranger = createClient({ baseUrl, token: 'wrong' });
  const refused = refusalOf(await stranger.sessions.list().catch((error: unknown) => error));
  assert.equal(refused?.status, 401);
  const { id } = await client.sessions.create();
  const { runID } = await client.sessions.promptAsync(id, 'hello');
  await raw.next();
  const busy = refusalOf(await client.sessions.promptAsync(id, 'again').catch((error: unknown) => error));
  assert.equal(busy?.code, 'SESSION_RUN_CONFLICT');
  assert.deepEqual({ ...Object(busy?.details.activeRun) }.runID, runID);
  assert.deepEqual(await client.sessions.cancelRun(id, runID), { ok: true, cancelled: true });
  assert.equal(refusalOf(new Error('x')), undefined);
});

test('a chat: an answer that is waited for, one that is streamed, and what became of both', async (t) => {
  const { client, raw } = await serve(t);
  const { id } = await client.sessions.create({ title: 'Talk' }, { idempotencyKey: 'k' });
  const waiting = client.sessions.promptSync(id, 'hello');
  const first = await raw.next();
  first.say('Good day.');
  first.finish();
  const part = (await waiting).at(-1)?.parts[0];
  assert.equal(part?.type === 'text' && part.text, 'Good day.');
  const { runID } = await client.sessions.promptAsync(id, [{ type: 'text', text: 'more' }]);
  const second = await raw.next();
  second.say('Streamed.');
  second.finish();
  const told: string[] = [];
  for await (const event of client.events({ runID }))
    if (event.type === 'message.part.updated') told.push(event.properties.part.text ?? '');
  assert.equal(told.at(-1), 'Streamed.');
  assert.equal((await client.runs.get(runID)).text, 'Streamed.');
  assert.equal((await client.sessions.messages(id)).length, 4);
  assert.equal((await client.sessions.list({ title: 'talk' }))[0]?.id, id);
  assert.equal((await client.runs.usage())[0]?.runs, 2);
  assert.equal(await client.sessions.activeRun(id), null);
  assert.equal((await client.health()).healthy, true);
  assert.deepEqual(await client.channels.status(), {});
});

test('events continue over a restart of the engine: every durable one, in order, once', async (t) => {
  const { client, kit, restart } = await serve(t);
  const { id } = await client.sessions.create();
  const stop = new AbortController();
  const seen: EngineEvent[] = [];
  let wake: () => void = () => {};
  const reading = (async () => {
    for await (const event of client.events({ sessionID: id, afterSeq: 0, signal: stop.signal })) {
      seen.push(event);
      wake();
    }
  })();
  const titles = () =>
    seen.flatMap((event) => (event.type === 'session.updated' ? [event.properties.title] : []));
  const until = async (title: string) => {
    while (!titles().includes(title))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  await client.sessions.update(id, { title: 'one' });
  await until('one');
  await restart();
  await kit.engine.updateSession({ sessionID: id, title: 'two' });
  await until('two');
  assert.deepEqual(titles(), ['New session', 'one', 'two']);
  stop.abort();
  await reading;
});

test('a connection that is lost in the middle of an answer costs no piece of it and doubles none', async (t) => {
  const { client, raw, cut } = await serve(t);
  const { id } = await client.sessions.create();
  const { runID } = await client.sessions.promptAsync(id, 'hello');
  const call = await raw.next();
  call.say('one ');
  let written = '';
  let cuts = 0;
  for await (const event of client.events({ runID })) {
    if (event.type !== 'message.part.updated' || event.properties.delta === undefined) continue;
    written += event.properties.delta;
    if (written === 'one ' && cuts === 0) {
      cuts += 1;
      await cut();
      call.say('two ');
    } else if (written === 'one two ') {
      call.say('three');
    } else if (written === 'one two three') call.finish();
  }
  assert.equal(written, 'one two three');
  assert.equal((await client.runs.get(runID)).text, written);
});

test('what a run asks is answered through the client', async (t) => {
  const { client, raw } = await serve(t);
  const { id } = await client.sessions.create();
  const { runID } = await client.sessions.promptAsync(id, 'look');
  const call = await raw.next();
  call.callTool('todo_read', {});
  for await (const event of client.events({ runID }))
    if (event.type === 'permission.asked') {
      const [asked] = await client.permissions.list();
      assert.equal(asked?.tool, 'todo_read');
      const { ruleID } = await client.permissions.reply(asked?.requestID ?? '', { reply: 'always' });
      assert.equal((await client.permissions.rules())[0]?.id, ruleID);
      const next = await raw.next();
      next.say('Nothing to do.');
      next.finish();
    }
  assert.equal((await client.runs.get(runID)).text, 'Nothing to do.');
  assert.deepEqual(await client.questions.list(), []);
});

test('a client that follows a run is told of the run that goes on after a restart, to its end', async (t) => {
  const { client, raw, restart } = await serve(t);
  const { id } = await client.sessions.create();
  const { runID } = await client.sessions.promptAsync(id, 'look');
  (await raw.next()).callTool('todo_read', {});
  let resumed: string | undefined;
  const told: string[] = [];
  for await (const event of client.events({ runID })) {
    if (event.type === 'permission.asked' && resumed === undefined) {
      await restart();
      resumed = (await client.permissions.reply(event.properties.requestID, { reply: 'once' })).runID;
      const next = await raw.next();
      next.say('All is done.');
      next.finish();
    } else if (event.type === 'message.part.updated') told.push(event.properties.part.text ?? '');
  }
  assert.notEqual(resumed, runID);
  assert.equal(told.at(-1), 'All is done.');
  assert.equal((await client.runs.get(runID)).resumedBy, resumed);
});

test('a client that follows a run which nothing resumes is at its end when the session goes on without it', async (t) => {
  const { client, raw, restart } = await serve(t);
  const { id } = await client.sessions.create();
  const { runID } = await client.sessions.promptAsync(id, 'look');
  (await raw.next()).callTool('todo_read', {});
  const told: EngineEvent[] = [];
  for await (const event of client.events({ runID })) {
    told.push(event);
    if (event.type !== 'permission.asked') continue;
    await restart();
    await client.sessions.promptAsync(id, 'something else');
    await raw.next();
  }
  const end = told.at(-1);
  assert.ok(end?.type === 'session.run.finished' && end.properties.runID === runID);
  assert.equal((await client.runs.get(runID)).resumedBy, undefined);
});

test('offline, a call says that nothing answers, with a code and that it may pass', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token });
  for (const call of [() => client.health(), () => client.sessions.promptAsync('ses_1', 'hello')]) {
    const error = await call().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    const refusal = refusalOf(error);
    assert.ok(refusal !== undefined, 'it is no bare TypeError');
    assert.deepEqual([refusal.code, refusal.status, refusal.retryable], ['ENGINE_UNREACHABLE', 0, true]);
    assert.match(refusal.message, /The engine at http:\/\/127\.0\.0\.1:9 cannot be reached \(/);
  }
});

test('a client appends a message once, and attaches a session to a workspace', async (t) => {
  const { client, raw } = await serve(t);
  const { id } = await client.sessions.create({ directory: '/srv/docs' });
  const appended = await client.sessions.append(id, 'The boat is called Petrel.', { idempotencyKey: 'k1' });
  const again = [{ type: 'text', text: 'The boat is called Petrel.' }] as const;
  assert.deepEqual(await client.sessions.append(id, [...again], { idempotencyKey: 'k1' }), appended);
  assert.deepEqual(await client.sessions.messages(id), [appended]);
  assert.equal(await client.sessions.activeRun(id), null);
  const refused = refusalOf(await client.sessions.append(id, '').catch((error: unknown) => error));
  assert.deepEqual([refused?.status, refused?.code], [400, 'INVALID_REQUEST']);

  const attached = await client.sessions.attach(id, { target_workspace: '/srv/boats', reason_tag: 'moved' });
  assert.deepEqual(
    [attached.workspaceRoot, attached.attachedFromWorkspace, attached.attachReason],
    ['/srv/boats', '/srv/docs', 'moved'],
  );
  assert.equal((await client.sessions.get(id)).workspaceRoot, '/srv/boats');
  await client.sessions.promptAsync(id, 'What is it called?');
  assert.match(JSON.stringify((await raw.next()).body), /called Petrel\..*What is it called\?/);
});
