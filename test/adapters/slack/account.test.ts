import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { allScopes } from '#sandbox/slack/world/tokens.ts';
import { until } from '../../support/found.ts';
import { connected, fixture } from './fixture.ts';

const never = new AbortController().signal;

test('check: a wrong token is an error with its hint', async (t) => {
  const { channel } = await fixture(t, { channel: { botToken: 'xoxb-wrong', appToken: 'xapp-wrong' } });
  const findings = await channel.check();
  assert.deepEqual(
    findings.map(({ level }) => level),
    ['error', 'error'],
  );
  assert.ok(findings.every(({ hint }) => hint !== undefined));
  assert.doesNotMatch(JSON.stringify(findings), /wrong/);
});

test('check names each scope that is missing and what it is for (F5)', async (t) => {
  const scopes = allScopes.filter((scope) => scope !== 'im:history' && scope !== 'files:read');
  const { channel } = await fixture(t, { sandbox: { scopes } });
  const findings = await channel.check();
  assert.deepEqual(
    findings.map(({ level }) => level),
    ['ok', 'error', 'warning', 'ok'],
  );
  assert.match(findings[1]?.what ?? '', /im:history/);
  assert.match(findings[2]?.hint ?? '', /files:read.*OAuth & Permissions/);
});

test('check: all is well with both tokens, and polling is pointed out without an app token', async (t) => {
  const both = await fixture(t);
  assert.ok((await both.channel.check()).every(({ level }) => level === 'ok'));
  const one = await fixture(t, { connection: 'polling' });
  assert.deepEqual(
    (await one.channel.check()).map(({ level }) => level),
    ['ok', 'warning'],
  );
});

test('the sign-in page that Slack sends instead of a file is a scope error (K1)', async (t) => {
  const scopes = allScopes.filter((scope) => scope !== 'files:read');
  const { sandbox, sink, channel } = await connected(t, { sandbox: { scopes } });
  for (const [name, mime] of [
    ['a.png', 'image/png'],
    ['a.html', 'text/html'],
  ] as const)
    sandbox.share({ chat: 'dm', user: 'you', text: '', name, mime, bytes: new Uint8Array(20) });
  await until('the messages', () => sink.messages.length === 2);
  for (const message of sink.messages) {
    const [file] = message.files;
    assert.ok(file && channel.open);
    const opening = channel.open(file, 1000, never).then((stream) => new Response(stream).text());
    const error = await opening.catch((reason: unknown) => reason);
    assert.equal(codeOf(error), 'slack_file_scope');
    assert.equal(channel.explain(error).kind, 'permission');
  }
});

test('a file is streamed with the token, up to a limit, and only from Slack (K5)', async (t) => {
  const { sandbox, sink, channel } = await connected(t);
  const bytes = new TextEncoder().encode('forty-two');
  sandbox.share({ chat: 'dm', user: 'you', text: '', name: 'a.txt', mime: 'text/plain', bytes });
  await until('the message', () => sink.messages.length === 1);
  const [file] = sink.messages[0]?.files ?? [];
  assert.ok(file && channel.open);
  assert.equal(await new Response(await channel.open(file, 9, never)).text(), 'forty-two');
  await assert.rejects(channel.open(file, 8, never), /more than 8 bytes/);
  await assert.rejects(channel.open({ id: file.id }, 8, never), /more than 8 bytes/);
  for (const id of [
    'https://a.example/x',
    'http://files.slack.com/x',
    'https://slack.com.example/x',
    'nonsense',
  ])
    await assert.rejects(channel.open({ id }, 8, never), /not on a server of Slack/);
});
