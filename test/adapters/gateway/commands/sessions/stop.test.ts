// Stop, said at the top of a room, reaches the thread in which the person waits; several are asked about.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { message, room } from '../../scripted-channel.ts';
import { createScriptedEngine } from '../../scripted-engine.ts';
import { as, commandChat } from '../kit.ts';

const inThread = (thread: string) => ({ address: { ...room, thread }, addressed: 'mention' as const });
const atTop = { address: room, addressed: 'mention' as const };

async function hangingChat(t: Parameters<typeof commandChat>[0]) {
  const chat = await commandChat(t, { engine: createScriptedEngine() });
  const begin = async (id: string, thread: string, over: object = {}): Promise<void> => {
    const runs = chat.engine.runs.length;
    await chat.channel.sink.accept(message(id, `hello ${thread}`, { ...inThread(thread), ...over }));
    await chat.seen(`the run in ${thread}`, () => (chat.engine.runs.length > runs ? true : undefined));
    await chat.pass();
  };
  const answers = async (text: string, over: object): Promise<string[]> => {
    const before = chat.channel.messages.length;
    await chat.channel.sink.accept(message(`${text}-${before}`, text, over));
    await chat.seen(text, () => (chat.channel.messages.length > before ? true : undefined));
    await chat.pass();
    return chat.channel.messages.slice(before).map((one) => one.text);
  };
  return { ...chat, begin, answers };
}

test('the one thread in which something is in progress is stopped from the room', async (t) => {
  const chat = await hangingChat(t);
  await chat.begin('1', 'T1');
  const said = await chat.answers('/stop', atTop);
  assert.ok(
    said.some((text) => /Stopped, in the thread/.test(text)),
    said.join('\n'),
  );
  assert.equal((await chat.engine.runs[0]?.ended)?.status, 'cancelled');
});

test('words after /stop that are no ID stop all the same (R36)', async (t) => {
  const chat = await hangingChat(t);
  await chat.begin('1', 'T1');
  const said = await chat.answers('/stop please, wrong file', atTop);
  assert.ok(
    said.some((text) => /Stopped, in the thread/.test(text)),
    said.join('\n'),
  );
  await chat.begin('2', 'T2');
  await chat.answers('/stop please', inThread('T2'));
  assert.equal((await chat.engine.runs[1]?.ended)?.status, 'cancelled');
});

test('a command that opens a thread of its own reaches the others too', async (t) => {
  const chat = await hangingChat(t);
  await chat.begin('1', 'T1');
  const own = { ...inThread('9'), nativeID: '9' };
  const said = await chat.answers('/stop', own);
  assert.ok(
    said.some((text) => /Stopped, in the thread/.test(text)),
    said.join('\n'),
  );
});

test('with several threads, /stop asks which one, and the id that is shown stops it', async (t) => {
  const chat = await hangingChat(t);
  await chat.begin('1', 'T1');
  await chat.begin('2', 'T2');
  const [asked = ''] = await chat.answers('/stop', atTop);
  assert.match(asked, /in 2 threads here\. Write `\/stop ID`/);
  const ids = [...asked.matchAll(/^- `(\S+)`/gm)].map(([, id]) => id);
  assert.equal(ids.length, 2);
  const said = await chat.answers(`/stop ${ids[1]}`, atTop);
  assert.ok(
    said.some((text) => /Stopped, in the thread/.test(text)),
    said.join('\n'),
  );
  const ended = await Promise.race([chat.engine.runs[1]?.ended, chat.engine.runs[0]?.ended]);
  assert.equal(ended?.status, 'cancelled');
});

test("another person's thread is neither stopped nor named, nor is one of another room", async (t) => {
  const chat = await hangingChat(t);
  await chat.begin('1', 'T1', { actor: as('someone').actor });
  await chat.begin('2', 'T2', { address: { ...room, chat: 'C9', thread: 'T2' } });
  assert.deepEqual(await chat.answers('/stop', atTop), ['There is nothing to stop.']);
  const [wrong = ''] = await chat.answers('/stop abcdef', atTop);
  assert.match(wrong, /nothing with the ID `abcdef`/);
});
