// Prompts over HTTP: accepted, repeated, refused while another run is active; and their end by cancel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit, hello, json, type Kit } from './kit.ts';

function prompter({ ask }: Kit, id: string) {
  return (query = '', headers: Record<string, string> = {}, body = hello) =>
    ask(`/session/${id}/prompt_async${query}`, { method: 'POST', headers: { ...json, ...headers }, body });
}

test('a prompt without parts, with a strange part, or to no session starts nothing', async () => {
  const kit = createKit();
  const prompt = prompter(kit, await kit.session());
  for (const body of [
    '{}',
    '',
    '{"parts":[]}',
    '{"parts":[{"type":"video"}]}',
    '{"parts":[{"type":"text","text":""}]}',
  ])
    assert.equal((await prompt('', {}, body)).status, 400, body);
  assert.equal((await prompt('?return=all')).status, 400);
  assert.equal((await prompt('', { 'idempotency-key': 'two words' })).status, 400);
  assert.equal((await prompt('', { 'idempotency-key': 'x'.repeat(201) })).status, 400);
  assert.equal((await prompter(kit, 'ses_none')()).status, 404);
  assert.deepEqual(kit.engine.prompts, []);
});

test('what a prompt asks for that is not done here is refused by its name, and nothing is started', async () => {
  const kit = createKit();
  const prompt = prompter(kit, await kit.session());
  const parts = [{ type: 'text', text: 'hello' }];
  for (const [name, value] of Object.entries({
    tool_allowlist: 'todo_read',
    tool_mode: 'sometimes',
    max_tokens: 0,
    temperature: 9,
    context_mode: 'huge',
    strict_kb_grounding: true,
    seed: 7,
  })) {
    const response = await prompt('', {}, JSON.stringify({ parts, [name]: value }));
    assert.equal(response.status, 400, name);
    assert.match(await response.text(), new RegExp(name));
  }
  assert.deepEqual(kit.engine.prompts, []);
  const usual = { parts, tool_mode: 'auto', context_mode: 'auto', strict_kb_grounding: false };
  assert.equal((await prompt('', {}, JSON.stringify(usual))).status, 204);
});

test('a second prompt during a run is 409 with the active run and where to attach, and the run continues', async () => {
  const kit = createKit();
  const id = await kit.session();
  const prompt = prompter(kit, id);
  const { runID } = (await (await prompt('?return=run')).json()) as { runID: string };
  const startedAtMs = kit.clock.now();
  await kit.clock.advance(1500);
  const response = await prompt();
  assert.equal(response.status, 409);
  assert.deepEqual(await response.json(), {
    error: 'Session already has an active run',
    code: 'SESSION_RUN_CONFLICT',
    retryable: true,
    sessionID: id,
    activeRun: {
      runID,
      startedAtMs,
      lastActivityAtMs: startedAtMs + 1500,
      clientID: null,
      agentID: null,
      agentProfile: null,
    },
    retryAfterMs: 500,
    attachEventStream: `/event?sessionID=${id}&runID=${runID}`,
  });
  assert.equal((await kit.engine.getRun({ runID })).status, 'running');
});

test('a prompt is accepted with 204 and no body at all (T21)', async () => {
  const kit = createKit();
  const response = await prompter(kit, await kit.session())();
  assert.equal(response.status, 204);
  assert.equal(await response.text(), '');
  assert.match(response.headers.get('x-tandem-run-id') ?? '', /^run_/);
});

test('with return=run a prompt is 202 with the run and its event stream', async () => {
  const kit = createKit();
  const id = await kit.session();
  const response = await prompter(kit, id)('?return=run');
  assert.equal(response.status, 202);
  const body = (await response.json()) as { runID: string; messageID: string };
  assert.match(body.messageID, /^msg_/);
  assert.deepEqual(body, {
    runID: body.runID,
    messageID: body.messageID,
    contextRunID: body.runID,
    linked_context_run_id: body.runID,
    attachEventStream: `/event?sessionID=${id}&runID=${body.runID}`,
  });
  assert.equal(response.headers.get('x-tandem-run-id'), body.runID);
  assert.equal(response.headers.get('x-parley-run-id'), body.runID);
});

test('the same key gives the same run, marked as a replay, under either header and during or after the run', async () => {
  const kit = createKit();
  const prompt = prompter(kit, await kit.session());
  const first = (await (await prompt('?return=run', { 'idempotency-key': 'k1' })).json()) as {
    runID: string;
  };
  const again = await prompt('?return=run', { 'x-tandem-idempotency-key': 'k1' });
  assert.equal(again.status, 202);
  assert.deepEqual(await again.json(), { ...first, idempotentReplay: true });
  kit.engine.finish(first.runID);
  const plain = await prompt('', { 'idempotency-key': 'k1' });
  assert.equal(plain.status, 204);
  assert.equal(plain.headers.get('idempotent-replayed'), 'true');
  assert.equal(plain.headers.get('x-parley-run-id'), first.runID);
  assert.equal(kit.engine.prompts.length, 1);
});

test('a key of another session is refused and does not reveal that session’s run', async () => {
  const kit = createKit();
  const key = { 'idempotency-key': 'k1' };
  const response = await prompter(kit, await kit.session())('?return=run', key);
  const { runID } = (await response.json()) as { runID: string };
  const other = await prompter(kit, await kit.session())('?return=run', key);
  const text = await other.text();
  assert.equal(other.status, 409);
  assert.match(text, /IDEMPOTENCY_KEY_REUSED/);
  assert.ok(!text.includes(runID) && other.headers.get('x-parley-run-id') === null);
});

test('a run that its process left behind starts again under its key', async () => {
  const kit = createKit();
  const prompt = prompter(kit, await kit.session());
  const key = { 'idempotency-key': 'k1' };
  const { runID } = (await (await prompt('?return=run', key)).json()) as { runID: string };
  kit.engine.interrupt(runID);
  const left = await prompt('?return=run&retry_interrupted=false', key);
  assert.equal(Object(await left.json()).idempotentReplay, true, 'not when the client does not want it');
  const again = (await (await prompt('?return=run', key)).json()) as { runID: string };
  assert.equal(again.runID, runID);
  assert.equal('idempotentReplay' in again, false);
  assert.equal(kit.engine.prompts.length, 2);
});

test('either spelling of the model reaches the engine', async () => {
  const kit = createKit();
  const parts = [{ type: 'text', text: 'hello' }];
  for (const model of [
    { provider_id: 'p', model_id: 'm' },
    { providerID: 'p', modelID: 'm' },
  ]) {
    const body = JSON.stringify({ parts, model });
    assert.equal((await prompter(kit, await kit.session())('', {}, body)).status, 204);
    assert.deepEqual(kit.engine.prompts.at(-1)?.body.model, { providerID: 'p', modelID: 'm' });
  }
  const wrong = JSON.stringify({ parts, model: { provider_id: 'p' } });
  assert.equal((await prompter(kit, await kit.session())('', {}, wrong)).status, 400);
});

test('cancel ends the active run, says so, and says no when there is none', async () => {
  const kit = createKit();
  const id = await kit.session();
  const cancel = () => kit.ask(`/session/${id}/cancel`, { method: 'POST' });
  assert.deepEqual(await (await cancel()).json(), { ok: true, cancelled: false });
  const { runID } = (await (await prompter(kit, id)('?return=run')).json()) as { runID: string };
  assert.deepEqual(await (await cancel()).json(), { ok: true, cancelled: true });
  assert.equal((await kit.engine.getRun({ runID })).status, 'cancelled');
  assert.equal((await kit.ask('/session/ses_none/cancel', { method: 'POST' })).status, 404);
});
