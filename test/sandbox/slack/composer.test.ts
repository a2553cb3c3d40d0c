// What Slack's composer lets through: nothing that begins with "/" becomes a message.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';

async function open(t: TestContext) {
  const sandbox = await createSlackSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const said = () => sandbox.shown('dm', 'you').map(({ text }) => text);
  return { sandbox, said };
}
const dm = { chat: 'dm', user: 'you' } as const;

test('an unknown command and one of Slack itself are not sent, and the client says why', async (t) => {
  const { sandbox, said } = await open(t);
  for (const text of ['/new', '/etc/hosts is a file', '/'])
    await assert.rejects(() => sandbox.say({ ...dm, text }), {
      code: 'not_sent',
      message: /not a valid command/,
    });
  for (const text of ['/who', '/status', '/rename Trip'])
    await assert.rejects(() => sandbox.say({ ...dm, text }), { code: 'not_sent', message: /Slack's own/ });
  assert.deepEqual(said(), []);
});

test("the app's own command runs instead of being sent, but not in a thread", async (t) => {
  const { sandbox, said } = await open(t);
  await sandbox.say({ ...dm, text: '/parley status' });
  assert.deepEqual(said(), []);
  const { id } = await sandbox.say({ ...dm, text: 'hello' });
  await assert.rejects(() => sandbox.say({ ...dm, thread: id, text: '/parley status' }), {
    code: 'not_sent',
    message: /not supported in threads/,
  });
  assert.throws(() => sandbox.slash({ ...dm, command: '/who', text: '' }), { code: 'unknown_command' });
});

test('behind a space or a mention a "/" is a message like any other', async (t) => {
  const { sandbox, said } = await open(t);
  await sandbox.say({ ...dm, text: ' /new' });
  await sandbox.say({ ...dm, text: '/new', mention: true });
  assert.deepEqual(
    said().map((text) => text.trim()),
    ['/new', '@parley /new'],
  );
});
