import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { explain } from '#adapters/slack/calls/explain.ts';
import { createWeb } from '#adapters/slack/calls/web.ts';
import { quiet } from './harness.ts';

/** What a call gives against a server that answers each connection with `bytes` and hangs up. */
async function failureFor(bytes: string) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  try {
    await createWeb('xoxb-x', { apiUrl: `http://127.0.0.1:${address.port}/api/`, log: quiet }).auth.test();
  } catch (error) {
    return explain(error);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  return assert.fail('it worked');
}

const head = (status: string, headers: string) =>
  `HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}\r\n\r\n`;

test('a refused connection cannot have delivered anything', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  await new Promise((resolve) => server.close(resolve));
  const web = createWeb('xoxb-x', { apiUrl: `http://127.0.0.1:${address.port}/api/`, log: quiet });
  const failure = await web.auth.test().then(
    () => assert.fail('it worked'),
    (error: unknown) => explain(error),
  );
  assert.equal(failure.kind, 'transient');
  assert.equal(failure.maybeDelivered, false);
});

test('an answer that breaks off, or is no JSON, may have been delivered (C1)', async () => {
  for (const bytes of [
    '',
    `${head('200 OK', 'Content-Length: 100')}{"ok":`,
    `${head('200 OK', 'Content-Length: 6')}<html>`,
  ]) {
    const failure = await failureFor(bytes);
    assert.equal(failure.kind, 'transient', bytes);
    assert.equal(failure.maybeDelivered, true, bytes);
  }
});

test('a rate limit without a time is waited out for half a minute', async () => {
  const failure = await failureFor(head('429 Too Many Requests', 'Content-Length: 0'));
  assert.deepEqual(
    [failure.kind, failure.retryAfterMs, failure.maybeDelivered],
    ['rate_limit', 30_000, false],
  );
});

test('HTTP statuses are distinguished', async () => {
  for (const [status, kind] of [
    ['413 Too Large', 'too_long'],
    ['503 Unavailable', 'transient'],
    ['404 Not Found', 'invalid'],
  ]) {
    const failure = await failureFor(head(status ?? '', 'Content-Length: 0'));
    assert.equal(failure.kind, kind);
  }
});

test('an error says which method Slack refused, and how', async () => {
  const refused = '{"ok":false,"error":"missing_scope","needed":"im:read"}';
  const answers = [
    [head('404 Not Found', 'Content-Length: 0'), /^auth\.test: Slack answered with HTTP status 404\.$/],
    [
      `${head('200 OK', `Content-Type: application/json\r\nContent-Length: ${refused.length}`)}${refused}`,
      /^auth\.test: Slack refused with "missing_scope"\. Add the scope im:read /,
    ],
    [
      head('429 Too Many Requests', 'Retry-After: 7\r\nContent-Length: 0'),
      /^auth\.test: Slack asks for a pause of 7 s\.$/,
    ],
    ['', /^auth\.test: Slack could not be reached/],
  ] as const;
  for (const [bytes, words] of answers) assert.match((await failureFor(bytes)).words, words);
});

test('anything else that is thrown is reported in its own words', () => {
  assert.match(explain('strange').words, /strange/);
  assert.equal(explain(new Error('odd')).maybeDelivered, true);
});

test('a limit on editing is the workspace’s, one on posting the channel’s', () => {
  const limited = (method: string) => {
    const error = new WebAPIRateLimitedError(7);
    const { kind, retryAfterMs, wholeAccount, sameActOnly } = explain(Object.assign(error, { method }));
    return { kind, retryAfterMs, wholeAccount, sameActOnly };
  };
  const one = { kind: 'rate_limit', retryAfterMs: 7_000, sameActOnly: true };
  assert.deepEqual(limited('chat.update'), { ...one, wholeAccount: true });
  assert.deepEqual(limited('chat.postMessage'), { ...one, wholeAccount: undefined });
});
