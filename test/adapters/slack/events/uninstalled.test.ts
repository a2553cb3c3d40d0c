// The app loses its token: the connection ends and says why, and only when Slack really refuses the token.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage, hintOf } from '#base/errors.ts';
import { until } from '../../../support/found.ts';
import { connected, fixture } from '../fixture.ts';

for (const first of ['app_uninstalled', 'tokens_revoked'] as const)
  test(`the connection ends with a message when the app is uninstalled (${first} comes first)`, async (t) => {
    const { sandbox, channel, sink } = await fixture(t);
    const running = channel.run(sink, new AbortController().signal).catch((error: unknown) => error);
    await until('ready', () => sink.states.some(({ state }) => state === 'ready'));
    await until('the first round', () => sink.cursors.size >= 5);
    sandbox.uninstall(first);
    const error = await running;
    const words = `${errorMessage(error)} ${hintOf(error)}`;
    assert.match(
      words,
      first === 'app_uninstalled' ? /was uninstalled from Slack/ : /token of the Slack app was revoked/,
    );
    assert.match(words, /account_inactive.*Install the app again at api\.slack\.com\/apps/);
    assert.deepEqual(channel.explain(error).kind, 'auth');
    assert.equal(sink.states.at(-1)?.state, 'failed');
    await until('the connection is closed', () => sandbox.connections() === 0);
    const findings = await channel.check();
    assert.match(findings[0]?.hint ?? '', /SLACK_BOT_TOKEN/);
    assert.match(findings[0]?.what ?? '', /account_inactive.*Install the app again/);
  });

test('a token of a person that is revoked ends nothing', async (t) => {
  const { sandbox, sink } = await connected(t);
  const asked = () => sandbox.calls().filter(({ name }) => name === 'auth.test').length;
  const before = asked();
  sandbox.revokePerson();
  await until('the token is asked', () => asked() > before);
  await sandbox.say({ chat: 'dm', user: 'you', text: 'still there?' });
  await until('the message', () => sink.messages.length === 1);
  assert.equal(sink.states.at(-1)?.state, 'ready');
});
