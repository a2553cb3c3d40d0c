// The event stream of the control interface: when a page is told that something changed.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { settle } from '../support/manual-clock.ts';
import { type Control, openControl, platforms } from './control-client.ts';

/** A stream that keeps what came; `lines` waits until that many events or comments are there. */
async function listen(t: TestContext, control: Control) {
  const response: IncomingMessage = await control.open('/sandbox/events');
  t.after(() => response.destroy());
  let text = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const blocks = (): string[] => text.split('\n\n').slice(0, -1);
  return {
    response,
    blocks,
    /** Lets the socket's bytes arrive: real I/O, no clock. */
    async until(count: number): Promise<string[]> {
      while (blocks().length < count) await settle();
      return blocks();
    },
    revisions: (): number[] =>
      blocks()
        .flatMap((block) => /"revision":(\d+)/.exec(block)?.[1] ?? [])
        .map(Number),
  };
}

test('a listener gets the state of every platform at once, then every change', async (t) => {
  const control = await openControl(t);
  const stream = await listen(t, control);
  assert.match(String(stream.response.headers['content-type']), /^text\/event-stream/);
  const [first] = await stream.until(1);
  assert.equal(first, 'event: change\ndata: {"revision":0}');
  let told = 1;
  for (const platform of platforms) {
    await control.clock.advance(50);
    await control.say(platform, { text: 'hello' });
    told += 1;
    await stream.until(told);
  }
  const revisions = stream.revisions();
  assert.deepEqual(
    revisions,
    [...revisions].sort((a, b) => a - b),
  );
  assert.equal(new Set(revisions).size, platforms.length + 1);
  const { body } = await control.ask('/sandbox/state');
  assert.equal(Object(body).revision, revisions.at(-1));
});

test('changes within 50 ms are reported as one, and the last of them is never left out', async (t) => {
  const control = await openControl(t);
  const stream = await listen(t, control);
  await stream.until(1);
  for (let n = 0; n < 20; n += 1) await control.sandbox.slack.say({ chat: 'dm', user: 'you', text: `${n}` });
  await control.clock.advance(50);
  await stream.until(2);
  await control.clock.advance(1000);
  const { body } = await control.ask('/sandbox/state');
  assert.deepEqual(stream.revisions(), [0, Object(body).revision]);
});

test('silence is filled with a comment every 15 s, so that nobody takes the connection for dead', async (t) => {
  const control = await openControl(t);
  const stream = await listen(t, control);
  await stream.until(1);
  await control.clock.advance(50);
  await control.clock.advance(15_000);
  assert.equal((await stream.until(2)).at(-1), ': still here');
  await control.clock.advance(15_000);
  assert.equal((await stream.until(3)).at(-1), ': still here');
});

test('at most 64 streams are open; the next is refused with a message, and one that closes makes room', async (t) => {
  const control = await openControl(t);
  const streams = [];
  for (let n = 0; n < 64; n += 1) streams.push(await listen(t, control));
  const refused = await control.ask('/sandbox/events');
  assert.equal(refused.status, 503);
  assert.match(refused.body.error ?? '', /^At most 64 event streams may be open\. Close a page/);
  streams[0]?.response.destroy();
  // The server hears of the closed connection in its own time.
  for (;;) {
    const response = await control.open('/sandbox/events');
    response.destroy();
    if (response.statusCode === 200) break;
    await settle();
  }
});

test('when the program ends, every stream ends', async (t) => {
  const control = await openControl(t);
  const streams = [await listen(t, control), await listen(t, control)];
  for (const stream of streams) await stream.until(1);
  const ended = streams.map(({ response }) => new Promise((resolve) => response.once('end', resolve)));
  control.end();
  await Promise.all(ended);
});
