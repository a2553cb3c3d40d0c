// The feedback webhook: a program is told what people think of answers, signed, once it listens, and not what was forgotten before.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { RunFeedback } from '#engine/wire/runs/feedback.ts';
import { found } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { converse, openKit, originOf, textBody } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

interface Taken {
  headers: IncomingHttpHeaders;
  body: string;
}

const secret = 'shared-by-both-sides';

/** A program that listens: it answers each call with the next status, and keeps what it took with 204. It refuses what has a word of `refusing`. */
async function startListener(t: TestContext) {
  const [taken, asked, statuses]: [Taken[], string[], number[]] = [[], [], []];
  const refusing = new Set<string>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const isRefused = [...refusing].some((word) => body.includes(word));
      const status = isRefused ? 400 : (statuses.shift() ?? 204);
      asked.push(String(request.headers['x-parley-event']));
      if (status === 204) taken.push({ headers: request.headers, body });
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${port}/thumbs`, taken, asked, statuses, refusing };
}

/** An engine with an answer in a private chat, which tells the listener. */
async function answered(t: TestContext) {
  const listener = await startListener(t);
  const raw = await startRaw(t, (call) => call.answer('At nine.'));
  const clock = createManualClock();
  const feedbackWebhook = { url: listener.url, secret };
  const kit = await openKit(t, { model: raw.settings, clock, feedbackWebhook });
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  const { runID } = await converse(kit.engine, id, textBody('When does the tide turn?', originOf()));
  const thumb = (more: Partial<RunFeedback> = {}): Promise<void> =>
    kit.engine.noteFeedback({
      runID,
      ...{ rating: 'good', emoji: '👍', person: originOf().speaker.person, name: 'Robin', atMs: clock.now() },
      ...more,
    });
  /** Lets so much time pass, in steps, until the listener has taken so many. */
  const until = (count: number) =>
    found(`${count} calls`, async () => {
      await clock.advance(1_000);
      return listener.taken.length >= count ? true : undefined;
    });
  return { ...listener, clock, kit, runID, id, thumb, until };
}

test('a thumb is told as the event of the stream has it, signed, once, and so is that it is taken back', async (t) => {
  const { taken, asked, runID, id, clock, thumb, until } = await answered(t);
  await thumb();
  await thumb();
  await until(1);
  await thumb({ withdrawn: true });
  await until(2);
  const [given, back] = taken.map(({ body }) => JSON.parse(body));
  assert.equal(given.type, 'session.run.feedback');
  const { sessionID, runID: about, rating, emoji, name } = given.properties;
  assert.deepEqual([sessionID, about, rating, emoji, name], [id, runID, 'good', '👍', 'Robin']);
  assert.deepEqual([back.properties.withdrawn, back.properties.runID], [true, runID]);
  assert.deepEqual(asked, [given.id, back.id]);
  for (const { headers, body } of taken) {
    const at = String(headers['x-parley-timestamp']);
    const expected = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    assert.equal(headers['x-parley-signature'], `sha256=${expected}`);
    assert.ok(Math.abs(Number(at) * 1_000 - clock.now()) < 60_000);
  }
});

test('a call that is not taken is made again, under its id and in its order, also after a restart', async (t) => {
  const { asked, statuses, taken, thumb, until, kit } = await answered(t);
  statuses.push(500, 302, 429);
  await thumb();
  await until(1);
  assert.deepEqual([new Set(asked).size, asked.length], [1, 4], 'a redirect is not followed');
  statuses.push(503);
  await thumb({ emoji: '👎', rating: 'bad' });
  await found('the first attempt', () => (asked.length === 5 ? true : undefined));
  await thumb({ emoji: '🎉' });
  await kit.restart();
  await until(3);
  assert.deepEqual(
    taken.map(({ body }) => JSON.parse(body).properties.emoji),
    ['👍', '👎', '🎉'],
  );
});

test('what was forgotten before it was told is not told, and a call that nobody takes for three days is given up', async (t) => {
  const { asked, statuses, taken, clock, thumb, until, kit } = await answered(t);
  statuses.push(500);
  await thumb();
  await found('the first attempt', () => (asked.length === 1 ? true : undefined));
  const person = originOf().speaker.person;
  await kit.engine.forgetContent({ of: { persons: [person] }, apply: true });
  await clock.advance(60_000);
  assert.equal(asked.length, 1, 'it was forgotten');

  const { runID } = await converse(kit.engine, (await kit.engine.createSession({})).id, textBody('And now?'));
  const other: RunFeedback = { rating: 'bad', emoji: '👎', person: 'per_2', name: 'Ann', atMs: clock.now() };
  statuses.push(...Array.from({ length: 2_000 }, () => 500));
  await kit.engine.noteFeedback({ runID, ...other });
  await found('the next attempt', () => (asked.length === 2 ? true : undefined));
  await found('the end', async () => {
    await clock.advance(3_600_000);
    return kit.logged.some((line) => line.includes('was given up')) ? true : undefined;
  });
  statuses.length = 0;
  await kit.engine.noteFeedback({ runID, ...other, emoji: '💔' });
  await until(1);
  assert.equal(JSON.parse(taken[0]?.body ?? '{}').properties.emoji, '💔');
});

test('a call that the program keeps refusing is dropped after ten minutes, and those behind it are made', async (t) => {
  const { asked, taken, clock, thumb, kit, refusing } = await answered(t);
  refusing.add('Robin');
  await thumb();
  await thumb({ person: 'per_2', name: 'Ben' });
  const began = clock.now();
  await found('the other call', async () => {
    await clock.advance(10_000);
    return taken.length === 1 ? true : undefined;
  });
  assert.match(taken[0]?.body ?? '', /Ben/);
  assert.ok(clock.now() - began >= 600_000, 'it was tried for ten minutes');
  assert.ok(asked.length > 5, `${asked.length} attempts`);
  assert.match(kit.logged.join(), /was given up/);
});
