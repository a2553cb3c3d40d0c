// Runs over HTTP: waited for, cancelled by name, listed, and what they used; by the real engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wireRun } from '#engine/wire/runs/run.ts';
import type { UsageSum } from '#engine/wire/runs/usage.ts';
import { frame } from '../support/raw-provider.ts';
import { eventFrames } from './kit.ts';
import { openService, type Service } from './service-kit.ts';

const hello = { parts: [{ type: 'text', text: 'hello' }] };

function usageFrame(prompt: number, completion: number): string {
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 40 },
  };
  const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

async function answered(service: Service, id: string, tokens: [number, number]): Promise<string> {
  const { runID, call } = await service.prompt(id, 'count');
  call.say('Done.');
  call.write(frame({}, 'stop') + usageFrame(...tokens));
  call.write('data: [DONE]\n\n');
  call.end();
  await service.kit.engine.finished(runID);
  return runID;
}

test('a synchronous prompt waits for its end and gives what was said and its answer', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const asking = service.send('POST', `/session/${id}/prompt_sync`, { body: hello });
  const call = await service.raw.next();
  call.say('Good day.');
  call.finish();
  const response = await asking;
  assert.equal(response.status, 200);
  assert.match(response.headers.get('x-parley-run-id') ?? '', /^run_/);
  const messages = (await response.json()) as { info: { role: string }; parts: { text: string }[] }[];
  assert.deepEqual(
    messages.map(({ info, parts }) => [info.role, parts[0]?.text]),
    [
      ['user', 'hello'],
      ['assistant', 'Good day.'],
    ],
  );
});

test('what was streamed is in the history by the time that its run is reported as over (T23)', async (t) => {
  const { kit, raw } = await openService(t);
  const { engine } = kit;
  const { id } = await engine.createSession({});
  const stop = new AbortController();
  const events = engine.events({ sessionID: id }, stop.signal);
  const outcome = await engine.prompt(id, { parts: [{ type: 'text', text: 'hello' }] });
  assert.equal(outcome.status, 'started');
  const call = await raw.next();
  call.say('Good ');
  call.say('day.');
  call.finish();
  let streamed = '';
  for await (const event of events) {
    if (event.type === 'message.part.updated') streamed += event.properties.delta ?? '';
    if (event.type !== 'session.run.finished') continue;
    const answer = (await engine.messages(id)).at(-1);
    assert.deepEqual(answer?.parts, [{ type: 'text', text: streamed }]);
    assert.equal(streamed, 'Good day.');
    stop.abort();
  }
  assert.equal(stop.signal.aborted, true);
});

test('a synchronous prompt whose provider fails gives the failure in the answer, and the session is free (T25)', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const asking = service.ask('POST', `/session/${id}/prompt_sync`, hello);
  const call = await service.raw.next();
  call.say('Half');
  call.end();
  const { status, body } = await asking;
  assert.equal(status, 200);
  assert.equal(body[1].info.error.code, 'PROVIDER_STREAM_BROKEN');
  assert.deepEqual((await service.ask('GET', `/session/${id}/run`)).body, { active: null });
});

test('a synchronous prompt that takes too long is 504, the run continues, and the same key waits for it again', async (t) => {
  const service = await openService(t, {
    limits: { totalMs: 3_600_000, firstTokenMs: 3_600_000, connectMs: 3_600_000 },
  });
  const id = await service.session();
  const headers = { 'idempotency-key': 'k1' };
  const asking = service.send('POST', `/session/${id}/prompt_sync`, { body: hello, headers });
  const call = await service.raw.next();
  await service.clock.advance(615_000);
  const late = await asking;
  const refusal = (await late.json()) as Record<string, unknown>;
  assert.deepEqual([late.status, refusal.code, refusal.retryable], [504, 'PROMPT_TIMEOUT', true]);
  assert.equal(refusal.attachEventStream, `/event?sessionID=${id}&runID=${refusal.runID}`);
  const again = service.send('POST', `/session/${id}/prompt_sync`, { body: hello, headers });
  call.say('At last.');
  call.finish();
  const response = await again;
  assert.equal(response.headers.get('idempotent-replayed'), 'true');
  assert.match(await response.text(), /At last\./);
});

test('a synchronous prompt streams the events of its run to who accepts them, to its end', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const headers = { accept: 'text/event-stream' };
  const response = await service.send('POST', `/session/${id}/prompt_sync`, { body: hello, headers });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const runID = response.headers.get('x-parley-run-id');
  const reading = response.text();
  const call = await service.raw.next();
  call.say('Good day.');
  call.finish();
  const frames = eventFrames(await reading);
  assert.deepEqual(
    frames.map(({ data }) => data?.type),
    [
      'server.connected',
      'engine.lifecycle.ready',
      'session.run.started',
      'message.part.updated',
      'message.part.updated',
      'session.run.finished',
    ],
  );
  assert.equal(frames.at(-1)?.data?.properties.runID, runID);
});

test('a synchronous prompt during a run is 409 and starts nothing', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { runID } = await service.prompt(id, 'first');
  const { status, body } = await service.ask('POST', `/session/${id}/prompt_sync`, hello);
  assert.deepEqual([status, body.code, body.activeRun.runID], [409, 'SESSION_RUN_CONFLICT', runID]);
});

test('cancelling by run stops that run and no later one', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const first = await service.exchange(id, 'one', 'first');
  const { runID, call } = await service.prompt(id, 'two');
  const cancel = (run: string) => service.ask('POST', `/session/${id}/run/${run}/cancel`);
  assert.deepEqual((await cancel(first)).body, { ok: true, cancelled: false });
  assert.equal((await service.ask('GET', `/runs/${runID}`)).body.status, 'running');
  const active = (await service.ask('GET', `/session/${id}/run`)).body.active;
  assert.equal(active.runID, runID);
  assert.deepEqual((await service.ask('GET', '/session/status')).body, { [id]: active });
  assert.deepEqual((await cancel(runID)).body, { ok: true, cancelled: true });
  await call.closed;
  assert.equal((await service.ask('GET', `/runs/${runID}`)).body.failure.category, 'user_cancelled');
  assert.equal((await cancel('run_none')).status, 404);
  const other = await service.session();
  assert.equal((await service.ask('POST', `/session/${other}/run/${runID}/cancel`)).status, 404);
});

test('runs are listed newest first, by session and by status, with what they used', async (t) => {
  const service = await openService(t);
  const [one, two] = [await service.session(), await service.session()];
  const first = await answered(service, one, [100, 10]);
  const second = await answered(service, two, [50, 5]);
  const { runID: third, call } = await service.prompt(one, 'fail');
  call.say('x');
  call.end();
  await service.kit.engine.finished(third);
  const list = async (query: string) =>
    (await service.ask('GET', `/runs${query}`)).body.map((run: unknown) => wireRun.parse(run).runID);
  assert.deepEqual(await list(''), [third, second, first]);
  assert.deepEqual(await list('?page_size=1&page=2'), [second]);
  assert.deepEqual(await list(`?sessionID=${one}`), [third, first]);
  assert.deepEqual(await list('?status=error'), [third]);
  assert.deepEqual((await service.ask('GET', '/runs?status=broken')).status, 400);
  const run = (await service.ask('GET', `/runs/${first}`)).body;
  assert.deepEqual(run.model, { providerID: 'openai-compatible', modelID: 'm' });
  assert.deepEqual(run.usage, {
    calls: 1,
    inputTokens: 100,
    cachedInputTokens: 40,
    outputTokens: 10,
    reasoningTokens: 0,
  });
});

test('tokens and cost are summed by day and by session, and runs without a price are counted apart', async (t) => {
  const service = await openService(t);
  const [one, two] = [await service.session(), await service.session()];
  await answered(service, one, [100, 10]);
  const prices = { input: 3, cachedInput: 0.5, output: 15 };
  await service.restart({ model: { ...service.raw.settings, prices } });
  const priced = await answered(service, one, [1_000, 100]);
  await service.clock.advance(24 * 3_600_000);
  await answered(service, two, [1_000, 0]);
  // 960 uncached at 3, 40 cached at 0.5, 100 out at 15, for a million each
  const cost = (960 * 3 + 40 * 0.5 + 100 * 15) / 1e6;
  assert.equal((await service.ask('GET', `/runs/${priced}`)).body.usage.costUSD, cost);
  const pick = (sums: Record<string, number>[]) =>
    sums.map(({ day, sessionID, runs, inputTokens, unpricedRuns, costUSD }) => [
      day ?? sessionID,
      runs,
      inputTokens,
      unpricedRuns,
      costUSD,
    ]);
  const days = (await service.ask('GET', '/usage')).body;
  assert.deepEqual(pick(days), [
    ['2026-01-03', 1, 1_000, 0, (960 * 3 + 40 * 0.5) / 1e6],
    ['2026-01-02', 2, 1_100, 1, cost],
  ]);
  const sessions = (await service.ask('GET', '/usage?by=session')).body;
  assert.deepEqual(
    pick(sessions).map(([id, runs]) => [id, runs]),
    [
      [two, 1],
      [one, 2],
    ],
  );
  assert.equal((await service.ask('GET', `/usage?sessionID=${two}`)).body.length, 1);
  assert.equal((await service.ask('GET', '/usage?until=2026-01-02')).body.length, 1);
  assert.equal((await service.ask('GET', '/usage?from=yesterday')).status, 400);
});

test('the durable events of a run are read in pages, and its stream is also at /run/ID/events', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const runID = await service.exchange(id, 'one', 'first');
  const page = async (query: string) => (await service.ask('GET', `/runs/${runID}/events${query}`)).body;
  const all = await page('');
  assert.deepEqual(
    all.map(({ type }: { type: string }) => type),
    ['session.run.started', 'message.part.updated', 'session.run.finished'],
  );
  const [{ envelope }] = await page('?limit=1');
  assert.deepEqual(await page(`?after_seq=${envelope.seq}`), all.slice(1));
  const stream = await service.send('GET', `/run/${runID}/events`);
  const types = eventFrames(await stream.text()).map(({ data }) => data?.type);
  assert.deepEqual(
    types.slice(2),
    all.map(({ type }: { type: string }) => type),
  );
  assert.equal((await service.ask('GET', '/runs/run_none/events')).status, 404);
});

test('how runs ended is counted, also of sessions that no longer exist and of runs that a restart cut off', async (t) => {
  const service = await openService(t);
  const [one, two, three] = [await service.session(), await service.session(), await service.session()];
  await answered(service, one, [1, 1]);
  const failing = await service.prompt(one, 'fail');
  failing.call.end();
  await service.kit.engine.finished(failing.runID);
  await service.prompt(two, 'stop me');
  await service.ask('DELETE', `/session/${two}`);
  await service.prompt(three, 'cut me off');
  const ended = async () =>
    (await service.ask('GET', '/usage')).body.map((sum: UsageSum) => [sum.runs, sum.ended]);
  const before = { completed: 1, error: 1, timeout: 0, cancelled: 1, interrupted: 0 };
  assert.deepEqual(await ended(), [[4, before]], 'one continues');
  await service.restart({ model: service.raw.settings });
  assert.deepEqual(await ended(), [[4, { ...before, interrupted: 1 }]]);
});
