// Answers in progress: shown at the platform's pace, never in the way of the answer itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, message, room, ScriptedFailure } from './scripted-channel.ts';

const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);
const shows = (channel: { calls: string[] }): string[] =>
  channel.calls.filter((call) => /^(send|edit)/.test(call));

/** A gateway whose run is in progress, and has said this much. */
async function saying(h: Harness, text: string): Promise<void> {
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass();
  h.engine.say('run_1', text);
  await h.pass(2_000);
}

for (const kind of ['gone', 'permission', 'invalid', 'too_long'] as const) {
  test(`when the last edit fails permanently (${kind}), the whole text is delivered once and no half of it stays (D1)`, async (t) => {
    const h = await startHarness(t);
    await saying(h, 'half an ans');
    assert.deepEqual(texts(h.channel), ['half an ans']);
    assert.equal(h.engine.deliveries.length, 0, 'a preview is no delivery');
    h.channel.failing.edit.push(new ScriptedFailure({ kind }));
    h.engine.complete('run_1', 'a whole answer');
    await h.pass();
    assert.deepEqual(texts(h.channel), ['a whole answer']);
    assert.deepEqual(
      h.engine.deliveries.map(({ nativeIDs }) => nativeIDs),
      [['m2']],
    );
    await h.pass(60_000);
    assert.equal(shows(h.channel).filter((call) => call.startsWith('send')).length, 2);
  });
}

test('a half message that cannot be removed either does not delay the answer (D1)', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'half');
  h.channel.failing.edit.push(new ScriptedFailure({ kind: 'permission' }));
  h.channel.failing.remove.push(new ScriptedFailure({ kind: 'permission' }));
  h.engine.complete('run_1', 'whole');
  await h.pass();
  assert.deepEqual(texts(h.channel), ['half', 'whole']);
  assert.equal(h.engine.deliveries.length, 1);
  assert.ok(h.lines.some((line) => line.includes('preview not removed')));
});

test('a last edit whose answer is lost, or that the platform is too busy for, is repeated into the same message (D1, C2)', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'half');
  for (let fault = 0; fault < 6; fault += 1)
    h.channel.failing.edit.push(
      new ScriptedFailure({ kind: 'transient' }, fault % 2 === 0 ? 'effective' : 'without effect'),
    );
  h.engine.complete('run_1', 'whole');
  await h.pass(120_000);
  assert.deepEqual(texts(h.channel), ['whole']);
  assert.equal(h.engine.deliveries.length, 1);
});

test('what a preview shows is a beginning of the answer and nothing else, without a sign that it is unfinished (D1)', async (t) => {
  const h = await startHarness(t);
  const answer = 'The quick brown fox jumps over the lazy dog, again and again.';
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass();
  const seen = new Set<string>();
  for (const word of answer.split(/(?= )/)) {
    h.engine.say('run_1', word);
    await h.pass(700);
    for (const text of texts(h.channel)) seen.add(text);
  }
  assert.ok(seen.size >= 5, `${seen.size} different previews`);
  for (const text of seen) assert.ok(answer.startsWith(text), text);
});

test('a marker whose text has not come is left out of a preview, and half emphasis is closed', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'It is **bo');
  assert.deepEqual(texts(h.channel), ['It is **bo**']);
  h.engine.say('run_1', 'ld** and `co');
  await h.pass(2_000);
  assert.deepEqual(texts(h.channel), ['It is **bold** and `co`']);
});

test('a last edit that is rate limited waits, calls nothing in the meantime, and then edits the same message (D2, D4)', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'half');
  h.channel.failing.edit.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 9_000 }));
  h.engine.complete('run_1', 'whole');
  await h.pass();
  const calls = h.channel.calls.length;
  await h.pass(8_800);
  assert.equal(h.channel.calls.length, calls, 'nothing within nine seconds');
  await h.pass(1_000);
  assert.deepEqual(texts(h.channel), ['whole']);
  assert.deepEqual(shows(h.channel), ['send half', 'edit m1 whole', 'edit m1 whole']);
});

test('a preview that is rate limited waits as well, and shows what is there when the wait is over (D4)', async (t) => {
  const h = await startHarness(t);
  h.channel.failing.send.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 9_000 }));
  await saying(h, 'one');
  const calls = h.channel.calls.length;
  h.engine.say('run_1', ' two');
  await h.pass(6_000);
  assert.equal(h.channel.calls.length, calls);
  await h.pass(3_000);
  assert.deepEqual(texts(h.channel), ['one two']);
  assert.deepEqual(shows(h.channel), ['send one', 'send one two']);
});

test('however often delivery fails, the model is asked once (D3)', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'half');
  for (let fault = 0; fault < 8; fault += 1)
    h.channel.failing.edit.push(new ScriptedFailure({ kind: 'transient' }));
  h.channel.failing.edit.push(new ScriptedFailure({ kind: 'gone' }));
  for (let fault = 0; fault < 8; fault += 1)
    h.channel.failing.send.push(new ScriptedFailure({ kind: 'transient' }));
  h.engine.complete('run_1', 'whole');
  await h.pass(600_000);
  assert.deepEqual(texts(h.channel), ['whole']);
  assert.equal(h.engine.runs.length, 1);
});

for (const [kind, gapMs] of [
  ['dm', 1_000],
  ['group', 3_000],
  ['channel', 1_200],
] as const) {
  test(`in a ${kind} two steps of a preview are at least ${gapMs} ms apart, however fast the model writes (D5)`, async (t) => {
    const channel = createScriptedChannel({
      caps: { editGapMs: { dm: 1_000, group: 3_000, channel: 1_200 } },
    });
    const h = await startHarness(t, { channel });
    await channel.sink.accept(message('1', 'hello', { address: { ...room, kind }, addressed: 'mention' }));
    await h.pass();
    const at: number[] = [];
    for (let tick = 0; tick < 600; tick += 1) {
      if (tick % 2 === 0) h.engine.say('run_1', 'x');
      await h.pass(50);
      while (at.length < shows(channel).length) at.push(h.clock.now());
    }
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    assert.ok(gaps.length >= Math.floor(25_000 / gapMs), `${gaps.length} steps in 30 s`);
    // seen every 50 ms
    assert.ok(Math.min(...gaps) >= gapMs - 50, `${Math.min(...gaps)} ms apart`);
  });
}

test('the final finds room although the previews of many answers have used their share (D5)', async (t) => {
  const channel = createScriptedChannel({
    caps: { pace: [{ acts: ['send', 'edit'], per: 'account', calls: 10, perMs: 60_000 }] },
  });
  const h = await startHarness(t, { channel });
  for (let chat = 1; chat <= 12; chat += 1) {
    const address = { ...room, chat: `C${chat}` };
    await channel.sink.accept(message('1', 'hello', { address, addressed: 'mention' }));
  }
  await h.pass();
  for (let run = 1; run <= 12; run += 1) h.engine.say(`run_${run}`, 'half');
  await h.pass(30_000);
  assert.equal(shows(channel).length, 4, 'spread over the minute');
  await h.pass(29_000);
  assert.equal(shows(channel).length, 8, 'previews stop at the reserve');
  h.engine.complete('run_12', 'whole');
  await h.pass();
  assert.equal(texts(channel).at(-1), 'whole');
});

test('an unchanged text makes no call, nor does one that looks the same (D11)', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'one');
  assert.equal(shows(h.channel).length, 1);
  await h.pass(300_000);
  h.engine.say('run_1', '\n-'); // an item whose text has not come yet
  await h.pass(10_000);
  assert.deepEqual(shows(h.channel), ['send one']);
  h.engine.say('run_1', ' two');
  await h.pass(2_000);
  assert.deepEqual(texts(h.channel), ['one\n- two']);
});

test('an answer whose preview shows all of it exists: nothing is sent or edited at its end (D11)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 10 });
  const h = await startHarness(t, { channel });
  await saying(h, '0123456789abc');
  await h.pass(2_000);
  const calls = shows(channel).length;
  h.engine.complete('run_1', '0123456789abc');
  await h.pass();
  assert.equal(shows(channel).length, calls);
  assert.deepEqual(h.engine.deliveries[0]?.nativeIDs, ['m1', 'm2']);
  await h.restart();
  await h.pass(60_000);
  assert.equal(shows(channel).length, calls);
  assert.equal(h.engine.deliveries.length, 1);
});

test('only what changed since is edited at the end (D11)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 10 });
  const h = await startHarness(t, { channel });
  await saying(h, '0123456789abc');
  await h.pass(2_000);
  const calls = shows(channel).length;
  h.engine.complete('run_1', '0123456789abcdef');
  await h.pass();
  assert.deepEqual(shows(channel).slice(calls), ['edit m2 abcdef']);
  assert.deepEqual(h.engine.deliveries[0]?.nativeIDs, ['m1', 'm2']);
});

test('after an edit whose outcome is unknown the answer is edited, whatever the preview should show (D11)', async (t) => {
  const h = await startHarness(t);
  await saying(h, 'one');
  h.channel.failing.edit.push(new ScriptedFailure({ kind: 'transient' }, 'effective'));
  h.engine.say('run_1', ' two');
  await h.pass(3_000);
  const calls = shows(h.channel).length;
  h.engine.complete('run_1', 'one two');
  await h.pass(10_000);
  assert.deepEqual(shows(h.channel).slice(calls), ['edit m1 one two']);
});

test('a preview that outgrows its message continues in the next, and the answer takes the place of all of them (D9)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 10 });
  const h = await startHarness(t, { channel });
  await saying(h, '0123456789abc');
  await h.pass(2_000);
  assert.deepEqual(texts(channel), ['0123456789', 'abc']);
  h.engine.say('run_1', 'defghijKLM');
  await h.pass(4_000);
  assert.deepEqual(texts(channel), ['0123456789', 'abcdefghij', 'KLM']);
  h.engine.complete('run_1', '0123456789abcdefghijKLMN');
  await h.pass();
  assert.deepEqual(
    channel.messages.map(({ id, text }) => [id, text]),
    [
      ['m1', '0123456789'],
      ['m2', 'abcdefghij'],
      ['m3', 'KLMN'],
    ],
  );
});

test('previews that the answer does not need are taken down (D9)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 10 });
  const h = await startHarness(t, { channel });
  await saying(h, '0123456789abcdefghijKLM');
  await h.pass(4_000);
  assert.equal(channel.messages.length, 3);
  channel.failing.remove.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 2_000 }));
  h.engine.complete('run_1', 'short');
  await h.pass(5_000);
  assert.deepEqual(texts(channel), ['short']);
});

test('whatever the pieces, what is shown is always a beginning of the source, and in the end all of it (D7, C2)', async (t) => {
  const source = Array.from({ length: 40 }, (_, at) => `${at} is a number and so on;`).join(' ');
  for (const [partLimit, pieceLength] of [
    [100, 7],
    [333, 61],
  ] as const) {
    const channel = createScriptedChannel({ partLimit });
    const h = await startHarness(t, { channel });
    await channel.sink.accept(message('1', 'hello'));
    await h.pass();
    for (let at = 0; at < source.length; at += pieceLength) {
      h.engine.say('run_1', source.slice(at, at + pieceLength));
      await h.pass(at % 3 === 0 ? 10 : 700);
      const shown = texts(channel).join('');
      assert.ok(source.slice(0, at + pieceLength).startsWith(shown), shown);
    }
    await h.pass(2_000);
    assert.ok(channel.messages.length > 2, 'it has rolled over');
    h.engine.complete('run_1', source);
    for (let part = 0; part < source.length / partLimit; part += 1) await h.pass();
    assert.equal(texts(channel).join(''), source);
  }
});
