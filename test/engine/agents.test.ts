// Agents as profiles: who answers where, with which words, tools, model and memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgents } from '#engine/context/agents.ts';
import { openService } from './http/service-kit.ts';
import { begin, originOf, textBody } from './support/kit.ts';

const main = { name: 'main', systemPrompt: 'You are main.' };
const clerk = {
  name: 'clerk',
  systemPrompt: 'You are the clerk.',
  tools: ['todo_*'],
  model: { modelID: 'small' },
  memory: 'off' as const,
};

test('a prompt names its agent, else the first answers, and an unknown one is refused with a message', () => {
  const { at } = createAgents([main, clerk]);
  assert.equal(at({}).name, 'main');
  assert.equal(at({ agent: 'clerk' }).name, 'clerk');
  assert.throws(() => at({ agent: 'x' }), { code: 'unknown_agent', message: /there are: "main", "clerk"/ });
});

test('a prompt is answered by the agent that it names: its words, its tools, its model, and nothing kept', async (t) => {
  const service = await openService(t, {
    agent: main,
    agents: [clerk],
  });
  const { engine, memory } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const runID = await begin(engine, id, {
    ...textBody('my cat is called Minka', originOf()),
    agent: 'clerk',
  });
  const call = await service.raw.next();
  assert.equal(call.body.model, 'small');
  assert.match(JSON.stringify(call.body.messages), /You are the clerk.*not stored in memory/s);
  const names = (call.body.tools as { function: { name: string } }[]).map((each) => each.function.name);
  assert.deepEqual(names.sort(), ['todo_read', 'todo_write']);
  call.callTool('memory_search', { query: 'cats' });
  const next = await service.raw.next();
  assert.match(JSON.stringify(next.body.messages), /may not be used here/);
  next.say('Noted.');
  next.finish();
  const run = await engine.finished(runID);
  assert.deepEqual([run.agent, run.model?.modelID], ['clerk', 'small']);
  await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
  assert.equal((await memory.status()).chunks, 0);
});

test('a prompt narrows the tools of its agent, also for a run that is begun again, and never widens them', async (t) => {
  const service = await openService(t, { agent: { ...main, tools: ['todo_*', 'memory_*'] } });
  const id = await service.session();
  const toolsOf = async (more: object, headers: Record<string, string> = {}) => {
    const parts = [{ type: 'text', text: 'hello' }];
    const body = { parts, ...more };
    const answer = await service.send('POST', `/session/${id}/prompt_async?return=run`, { body, headers });
    const { runID } = (await answer.json()) as { runID: string };
    const call = await service.raw.next();
    const tools = (call.body.tools ?? []) as { function: { name: string } }[];
    return { runID, call, names: tools.map((each) => each.function.name).sort() };
  };
  const finish = async ({ runID, call }: Awaited<ReturnType<typeof toolsOf>>) => {
    call.say('Good.');
    call.finish();
    await service.kit.engine.finished(runID);
  };
  const narrowed = await toolsOf({ tool_allowlist: ['todo_*', 'artifact'] });
  assert.deepEqual(narrowed.names, ['todo_read', 'todo_write']);
  await finish(narrowed);
  const none = await toolsOf({ tool_mode: 'none' });
  assert.deepEqual(none.names, []);
  await finish(none);
  await toolsOf({ tool_allowlist: ['todo_read'] }, { 'idempotency-key': 'k1' });
  await service.restart();
  const wider = await service.send('POST', `/session/${id}/prompt_async`, {
    body: { parts: [{ type: 'text', text: 'hello' }] },
    headers: { 'idempotency-key': 'k1' },
  });
  assert.equal(wider.status, 409, 'the key stands for the narrowed prompt');
  const again = await toolsOf({ tool_allowlist: ['todo_read'] }, { 'idempotency-key': 'k1' });
  assert.deepEqual(again.names, ['todo_read']);
  again.call.callTool('todo_write', { todos: [] });
  const next = await service.raw.next();
  assert.match(JSON.stringify(next.body.messages), /may not be used here/);
  await finish({ ...again, call: next });
});

test('in a chat the memory tool is there by default (T33)', async (t) => {
  const service = await openService(t);
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  await begin(engine, id, textBody('hello', originOf()));
  assert.match(JSON.stringify((await service.raw.next()).body.tools), /memory_search/);
});
