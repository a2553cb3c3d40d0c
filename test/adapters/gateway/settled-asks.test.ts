// The end of what was asked, shown in its message: for some times where the platform fails, after a kill too, and then no more.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { FailureKind } from '#adapters/gateway/terms/channel.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';

const start = (t: TestContext): Promise<Harness> =>
  startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000 }) });
const seen = (h: Harness, wanted: RegExp): Promise<{ id: string; text: string }> =>
  h.seen(String(wanted), () => h.channel.messages.find(({ text }) => wanted.test(text)));
const inRoom = { address: room, addressed: 'mention' } as const;
const boss = { actor: { id: 'u9', name: 'Boss', isBot: false }, address: { ...dm, chat: 'D9' } };
/** A gateway in which only the boss may approve. */
const startWithBoss = (t: TestContext, options: HarnessOptions): Promise<Harness> =>
  startHarness(t, {
    channel: createScriptedChannel({ partLimit: 4_000 }),
    access: openAccess('guest'),
    people: { boss: { role: 'owner', accounts: ['discord:u9'] } },
    ...options,
  });
const edits = (h: Harness, id: string): number =>
  h.channel.calls.filter((call) => call.startsWith(`edit ${id} `)).length;

/** A request that was asked and allowed; its message's id. `failures` meet the edits that show so. */
async function allowed(h: Harness, failures: readonly FailureKind[]): Promise<string> {
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass();
  h.engine.askLeave('run_1', 'req_1');
  const { id } = await seen(h, /May I use/);
  for (const kind of failures) h.channel.failing.edit.push(new ScriptedFailure({ kind }));
  await h.channel.sink.accept(message('2', '1'));
  return id;
}

test('an end that the platform does not take for now is shown a little later', async (t) => {
  for (const kind of ['transient', 'rate_limit'] as const) {
    const h = await start(t);
    const id = await allowed(h, [kind, kind]);
    assert.equal((await seen(h, /allowed this once/)).id, id, kind);
    assert.equal(edits(h, id), 3, kind);
  }
});

test('an end that the platform never takes is tried four times, and one that it refuses permanently once', async (t) => {
  for (const [kind, times] of [
    ['transient', 4],
    ['gone', 1],
    ['permission', 1],
  ] as const) {
    const h = await start(t);
    const id = await allowed(
      h,
      Array.from({ length: 10 }, () => kind),
    );
    await h.pass(10 * 60_000);
    assert.equal(edits(h, id), times, kind);
    h.channel.failing.edit.length = 0;
    await h.restart();
    await h.pass(10 * 60_000);
    assert.equal(edits(h, id), times, `${kind}: it stays as it is`);
  }
});

test('an end that is being shown is not shown a second time because another one is to be', async (t) => {
  const h = await start(t);
  const id = await allowed(h, ['transient']);
  await h.seen('a try', () => (edits(h, id) === 1 ? true : undefined));
  h.engine.askLeave('run_1', 'req_2');
  await h.seen('the second', () =>
    h.channel.messages.find((one) => one.id !== id && /May I use/.test(one.text)),
  );
  await h.channel.sink.accept(message('3', '2', { at: h.clock.now() }));
  await seen(h, /not allowed/);
  await h.pass(60_000);
  assert.equal(edits(h, id), 2);
});

test('an end is shown once, also after a restart', async (t) => {
  const h = await start(t);
  const id = await allowed(h, []);
  await seen(h, /allowed this once/);
  h.engine.complete('run_1', 'Found it.');
  await seen(h, /Found it/);
  await h.pass(1_000);
  await h.restart();
  await h.channel.sink.accept(message('3', 'thanks', { at: h.clock.now() }));
  await h.pass();
  h.engine.complete('run_2', 'You are welcome.');
  await seen(h, /You are welcome/);
  await h.pass(60_000);
  assert.equal(edits(h, id), 1);
});

test('where approval is asked for elsewhere, a kill before the room was shown the end does not take that from the room', async (t) => {
  const h = await startWithBoss(t, { asked: 'direct' });
  await h.channel.sink.accept(message('b1', 'hello', boss));
  await h.pass();
  h.engine.complete('run_1', 'Hello.');
  await h.pass(1_000);
  await h.channel.sink.accept(message('1', 'look it up', inRoom));
  await h.pass();
  h.engine.askLeave('run_2', 'per_1');
  await seen(h, /May I use/);
  const told = await seen(h, /have asked boss/);
  // the message that asked is edited, the one in the room is not
  h.channel.failing.edit.push(undefined, ...[1, 2, 3].map(() => new ScriptedFailure({ kind: 'transient' })));
  await h.channel.sink.accept(message('b2', '1', boss));
  await h.seen('a try in the room', () => (edits(h, told.id) > 0 ? true : undefined));
  await h.kill();
  h.channel.failing.edit.length = 0;
  assert.equal((await seen(h, /have asked boss: allowed this once/)).id, told.id);
});

test('a request that is still being made when its run ends is shown as over, not left open', async (t) => {
  const { promise: masked, resolve } = Promise.withResolvers<void>();
  const redact = async (text: string): Promise<string> => {
    if (text.includes('example.org')) await masked;
    return text;
  };
  const h = await startWithBoss(t, { redact });
  await h.channel.sink.accept(message('1', 'look it up', inRoom));
  await h.pass();
  h.engine.askLeave('run_1', 'per_1');
  await h.pass();
  h.engine.complete('run_1', 'Never mind.');
  await h.pass();
  resolve();
  await seen(h, /May I use[\s\S]*no longer needed/);
  await seen(h, /Never mind/);
});
