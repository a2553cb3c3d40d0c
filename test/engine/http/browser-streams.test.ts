// Streams of browsers and programs: those of a browser end with the sign-in, and there is a bounded number of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxOfPrograms, maxStreams } from '#engine/http/guards/browser-streams.ts';
import { until } from '../../support/found.ts';
import { bearer } from './kit.ts';
import { host, openRoom, openSignedIn } from './sign-in-kit.ts';

for (const role of ['owner', 'viewer'] as const)
  test(`the stream of ${role === 'owner' ? 'an owner' : 'a viewer'} shows nothing more once its sign-in was ended or is too old`, async (t) => {
    const { app, engine, signIn, signIns, conversation, clock } = await openSignedIn(t);
    const { id } = await conversation('The zeppelin lands on Monday.', openRoom);
    const ends = {
      ended: (signed: string) => void signIns.end(signed),
      'too old': () => clock.jump(31 * 86_400_000),
    };
    for (const [how, end] of Object.entries(ends)) {
      const headers = { host, ...(await signIn(role)) };
      const response = await app.request('/event', { headers });
      assert.equal(response.status, 200);
      let seen = '';
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const piece of response.body ?? []) seen += decoder.decode(piece);
      })();
      await until('an event', async () => {
        await engine.updateSession({ sessionID: id, title: `Before ${how} ${seen.length}` });
        return seen.includes(`Before ${how}`);
      });
      end(signIns.list()[0]?.id ?? '');
      await engine.updateSession({ sessionID: id, title: `After ${how}` });
      await reading;
      assert.doesNotMatch(seen, /After/, how);
    }
  });

test('all programs together have at most five hundred streams at once, and browsers have their own', async (t) => {
  const { app, signIn } = await openSignedIn(t);
  const open = async (headers: Record<string, string>) =>
    app.request('/event', { headers: { host, ...headers } });
  const streams = [];
  for (let count = 0; count < maxOfPrograms; count += 1) streams.push(await open(bearer));
  assert.ok(streams.every(({ status }) => status === 200));
  const refused = await open(bearer);
  assert.equal(refused.status, 429);
  assert.match(await refused.text(), /at most 500 streams of programs/);
  const viewer = await open(await signIn('viewer'));
  assert.equal(viewer.status, 200);
  await streams[0]?.body?.cancel();
  const again = await open(bearer);
  assert.equal(again.status, 200);
  for (const { body } of [...streams.slice(1), viewer, again]) await body?.cancel();
});

test('one sign-in has at most fifty streams at once, and another one has its own', async (t) => {
  const { app, signIn } = await openSignedIn(t);
  const viewer = { host, ...(await signIn('viewer')) };
  const open = async (headers: Record<string, string>) => app.request('/event', { headers });
  const streams = await Promise.all(Array.from({ length: maxStreams }, () => open(viewer)));
  assert.ok(streams.every(({ status }) => status === 200));
  const refused = await open(viewer);
  assert.equal(refused.status, 429);
  assert.match(await refused.text(), /at most 50 streams/);
  const other = await open({ host, ...(await signIn('viewer', 'Ben')) });
  assert.equal(other.status, 200);
  await streams[0]?.body?.cancel();
  const again = await open(viewer);
  assert.equal(again.status, 200);
  for (const { body } of [...streams.slice(1), other, again]) await body?.cancel();
});
