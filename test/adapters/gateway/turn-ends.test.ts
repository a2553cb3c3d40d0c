// Turns that do not end as they should: an answer that cannot be written, and a gateway that closes while a person is asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from './harness.ts';
import { createScriptedChannel, message } from './scripted-channel.ts';

test('a gateway that closes waits for a run that works, until it asks a person', async (t) => {
  const h = await startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000 }) });
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass();
  let isClosed = false;
  const closed = h.gateway.close(60_000).then(() => {
    isClosed = true;
  });
  await h.clock.advance(10_000);
  assert.equal(isClosed, false, 'it may end its answer');
  h.engine.askLeave('run_1', 'req_1');
  await h.clock.advance(10_000);
  assert.equal(isClosed, true, 'the person may take longer than any close');
  await closed;
  h.gateway = { ...h.gateway, close: async () => {} }; // it is closed already
});

test('an answer that cannot be written is tried again, and after the third time the chat reads that it failed', async (t) => {
  for (const failures of [2, 3]) {
    const channel = createScriptedChannel({ partLimit: 4_000 });
    const h = await startHarness(t, { channel });
    const { render } = channel;
    let left = failures;
    channel.render = (markdown) => {
      if (markdown !== 'It is green.' || left === 0) return render(markdown);
      left -= 1;
      throw new TypeError('no such form');
    };
    await h.channel.sink.accept(message('1', 'What colour is it?'));
    await h.pass();
    h.engine.complete('run_1', 'It is green.');
    await h.pass(60_000);
    const [text, ...others] = channel.messages.map((each) => each.text);
    assert.match(text ?? '', failures === 2 ? /^It is green\.$/ : /ref_/);
    assert.deepEqual(others, []);
  }
});
