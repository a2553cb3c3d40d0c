// Nothing of a conversation gets lost by going back in it: over HTTP, by the real engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService, type Service } from './service-kit.ts';

interface Shown {
  info: { id: string };
  parts: { text?: string }[];
}

async function messages(service: Service, id: string): Promise<Shown[]> {
  return (await service.ask('GET', `/session/${id}/message`)).body;
}

const said = async (service: Service, id: string): Promise<string[]> =>
  (await messages(service, id)).map(({ parts }) => parts.map(({ text = '' }) => text).join());
const messageIDs = async (service: Service, id: string): Promise<string[]> =>
  (await messages(service, id)).map(({ info }) => info.id);

test('what was written after a revert comes back with unrevert too, with what earlier reverts set aside', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const went = async () => (await service.ask('POST', `/session/${id}/unrevert`)).status;
  for (const [text, answer] of [
    ['one', 'first'],
    ['two', 'second'],
    ['three', 'third'],
  ] as const)
    await service.exchange(id, text, answer);
  const ids = await messageIDs(service, id);
  await service.ask('POST', `/session/${id}/revert`, { messageID: ids[4] });
  await service.ask('POST', `/session/${id}/revert`, { messageID: ids[2] });
  await service.exchange(id, 'other', 'else');
  const seen: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    seen.push((await said(service, id)).join(' '));
    assert.equal(await went(), 200);
  }
  assert.deepEqual(seen, [
    'one first other else',
    'one first two second',
    'one first two second three third',
  ]);
  assert.equal((await said(service, id)).join(' '), 'one first other else');
  await service.restart();
  assert.equal(await went(), 200);
  assert.deepEqual(await said(service, id), ['one', 'first', 'two', 'second', 'three', 'third']);
});

test('the to-do list is that of the messages that stand: a revert takes it back, and a fork has it', async (t) => {
  const service = await openService(t);
  const { ask } = service;
  const id = await service.session();
  const item = (content: string) => ({ id: '1', content, status: 'pending' });
  const note = async (text: string, content: string) => {
    const { runID, call } = await service.prompt(id, text);
    call.callTool('todo_write', { todos: [item(content)] });
    const next = await service.raw.next();
    next.say('Noted.');
    next.finish();
    await service.kit.engine.finished(runID);
  };
  await note('plan', 'water the plants');
  await note('plan more', 'sell the house');
  const ids = await messageIDs(service, id);
  const todos = async (of = id) =>
    (await ask('GET', `/session/${of}/todo`)).body.map((each: { content: string }) => each.content);
  const whole = (await ask('POST', `/session/${id}/fork`)).body.id;
  const part = (await ask('POST', `/session/${id}/fork`, { messageID: ids[1] })).body.id;
  assert.deepEqual([await todos(whole), await todos(part)], [['sell the house'], ['water the plants']]);
  await ask('POST', `/session/${id}/revert`, { messageID: ids[2] });
  assert.deepEqual(await todos(), ['water the plants']);
  await ask('POST', `/session/${id}/revert`, { messageID: ids[0] });
  assert.deepEqual(await todos(), []);
  await ask('POST', `/session/${id}/unrevert`);
  await ask('POST', `/session/${id}/unrevert`);
  assert.deepEqual(await todos(), ['sell the house']);
  await ask('PUT', `/session/${id}/todo`, { todos: [item('by hand')] });
  const { body: byHand } = await ask('POST', `/session/${id}/fork`);
  assert.deepEqual(await todos(byHand.id), ['by hand']);
});

test('a list that a client wrote is taken back by a revert, comes back with unrevert, and a fork has that of its messages', async (t) => {
  const service = await openService(t);
  const { ask } = service;
  const id = await service.session();
  const write = (...contents: string[]) =>
    ask('PUT', `/session/${id}/todo`, {
      todos: contents.map((content, at) => ({ id: String(at), content, status: 'pending' })),
    });
  const todos = async (of = id) =>
    (await ask('GET', `/session/${of}/todo`)).body.map((each: { content: string }) => each.content);
  await write('before');
  await service.exchange(id, 'one', 'first');
  await write('draft');
  await write('first', 'second');
  await service.exchange(id, 'two', 'other');
  await service.exchange(id, 'three', 'last');
  await write('third');
  const ids = await messageIDs(service, id);
  const fork = (await ask('POST', `/session/${id}/fork`, { messageID: ids[3] })).body.id;
  const branch = (await ask('POST', `/session/${id}/fork`)).body.id;
  assert.deepEqual([await todos(fork), await todos(branch)], [['first', 'second'], ['third']]);
  const inFork = await messageIDs(service, fork);
  await ask('POST', `/session/${fork}/revert`, { messageID: inFork[0] });
  assert.deepEqual(await todos(fork), ['before'], 'a fork has what its messages remember');
  await ask('POST', `/session/${id}/revert`, { messageID: ids[4] });
  assert.deepEqual(await todos(), ['first', 'second']);
  await service.restart();
  await ask('POST', `/session/${id}/revert`, { messageID: ids[0] });
  assert.deepEqual(await todos(), ['before']);
  await write('anew');
  for (let times = 0; times < 2; times += 1) await ask('POST', `/session/${id}/unrevert`);
  assert.deepEqual(await todos(), ['third']);
  await ask('POST', `/session/${id}/revert`, { messageID: ids[0] });
  assert.deepEqual(await todos(), ['anew']);
});
