// A thread that only some of its room may read, where no message says so: buttons, webhooks, commands of the room above it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Reader } from '#engine/wire/memory/reader.ts';
import { commandChat } from './commands/kit.ts';
import { minute, scheduleStage } from './schedules/stage.ts';
import { createScriptedChannel, message, room } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const thread = { ...room, thread: 'T1' };
const within = {
  address: thread,
  addressed: 'mention' as const,
  room: { names: { thread: 'the few' }, restricted: true, privateThread: true },
};
const own = `room:${formatAddress(thread)}`;

test('what a button hands over in a private thread stays in the thread', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const readers: Reader[] = [];
  const draft = {
    title: '',
    summary: 'We sell.',
    decisions: [],
    threads: [],
    steps: [],
    context: [],
    settled: [],
  };
  const answers: Record<string, unknown> = {
    listElements: { items: [] },
    proposeHandoff: { by: 'model', elements: draft },
    closeSession: { lineageID: 'lin_123456' },
  };
  engine.forReader = (async (method: string, { reader }: { reader: Reader }) => {
    readers.push(reader);
    return answers[method];
  }) as typeof engine.forReader;
  const h = await commandChat(t, {
    channel: createScriptedChannel({ partLimit: 8_000, buttons: true }),
    engine,
  });
  const [, save = ''] = /\|(h:[^\]]+:save)\]/.exec(await h.say('/handoff', within)) ?? [];
  const actor = { id: 'u1', name: 'you', isBot: false };
  await h.channel.sink.accept({
    ...{ type: 'choice', nativeID: 'p1', at: 0, choice: save, settle: () => {}, actor },
    address: thread,
  });
  await h.pass();
  assert.match(h.channel.messages.at(-1)?.text ?? '', /is handed over/);
  assert.deepEqual(new Set(readers.map(({ audience }) => audience)), new Set([own]));
});

test('what a webhook sends into a private thread belongs to the thread', async (t) => {
  const stage = await scheduleStage(t);
  const { service } = stage.kit.rooms;
  const { secret } = await service.createHook({
    name: 'builds',
    chat: formatAddress(thread),
    kind: 'prompt',
  });
  await stage.channel.sink.accept(message('1', 'hello', within));
  await stage.pass();
  await service.receiveHook('builds', { body: 'wages rise', key: 'a', proof: { bearer: secret } });
  await stage.wait(minute);
  assert.deepEqual(
    stage.engine.runs.map(({ body }) => body.origin?.audience),
    [own, own],
  );
});

const above = {
  address: room,
  addressed: 'mention' as const,
  room: { names: { channel: 'all' }, restricted: false },
};

test('a room is not shown what is scheduled in a private thread of it, also not by the person who scheduled it', async (t) => {
  const stage = await scheduleStage(t);
  await stage.say('/zone Berlin');
  await stage.say('/remind in 2 hours wages rise', within);
  await stage.say('/remind yes', within);
  assert.doesNotMatch(await stage.say('/schedules', above), /wages rise/);
  assert.match(await stage.say('/schedules', within), /wages rise/);
  assert.match(await stage.say('/schedules'), /wages rise/);
});

test('a room is not shown the titles of conversations in private threads of it', async (t) => {
  const engine = createScriptedEngine();
  const h = await commandChat(t, { engine });
  for (const [id, text] of ['wages rise', 'offices close'].entries()) {
    const address = { ...room, thread: `T${id}` };
    await h.channel.sink.accept(message(`m${id}`, text, { ...within, address }));
    await h.seen(text, () => engine.runs[id]);
    await engine.updateSession({ sessionID: engine.runs[id]?.run.sessionID ?? '', title: text });
  }
  assert.doesNotMatch(await h.say('/stop', above), /wages rise|offices close/);
});
