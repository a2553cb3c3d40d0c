// What the bot does on Telegram, one call each, and what its failures mean.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';
import { createBench } from './bench.ts';

const part = (text: string): MessagePart => ({ text, body: { text, entities: [] } });

function directMessage(sandbox: TelegramSandbox): Address {
  return { platform: 'telegram', account: '7000000001', chat: sandbox.userID('you'), kind: 'dm' };
}

async function failureOf(channel: Channel, work: Promise<unknown>): Promise<ChannelFailure> {
  try {
    await work;
  } catch (error) {
    return channel.explain(error);
  }
  throw new Error('Expected a failure; the call succeeded.');
}

test('rendered Markdown arrives with its entities and without link previews', async (t) => {
  const { sandbox, channel } = await createBench(t);
  const address = directMessage(sandbox);
  const [rendered] = channel.render('**bold** and `code`');
  assert.ok(rendered);
  const { nativeID } = await channel.send(address, rendered, { key: 'k' });
  const [shown] = sandbox.shown('dm', 'you');
  assert.equal(shown?.id, nativeID);
  assert.deepEqual(shown?.blocks, [
    {
      kind: 'paragraph',
      runs: [
        { text: 'bold', styles: ['bold'] },
        { text: ' and ', styles: [] },
        { text: 'code', styles: ['code'] },
      ],
    },
  ]);
});

test('an edit to the same content is no error, another content replaces it (D11)', async (t) => {
  const { sandbox, channel } = await createBench(t);
  const address = directMessage(sandbox);
  const { nativeID } = await channel.send(address, part('one'), { key: 'k' });
  await channel.edit(address, nativeID, part('one'));
  await channel.edit(address, nativeID, part('two'));
  assert.deepEqual(
    sandbox.shown('dm', 'you').map(({ text, edited }) => [text, edited]),
    [['two', true]],
  );
});

test('an answer to a message that is gone is still sent', async (t) => {
  const { sandbox, channel } = await createBench(t);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'never mind' });
  await sandbox.deleteMessage(id);
  await channel.send(directMessage(sandbox), part('too late'), { key: 'k', replyTo: id });
  assert.equal(sandbox.shown('dm', 'you')[0]?.replyTo, undefined);
});

test('typing, reactions and removal are seen, and idle makes no call', async (t) => {
  const { sandbox, channel } = await createBench(t);
  const address = directMessage(sandbox);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  await channel.presence(address, 'idle');
  assert.equal(sandbox.calls().length, 0);
  await channel.presence(address, 'typing');
  assert.equal(sandbox.typing('dm', 'you'), true);
  await channel.react(address, id, '✅');
  assert.deepEqual(sandbox.shown('dm', 'you')[0]?.reactions, ['👍']);
  const refused = await failureOf(channel, channel.react(address, id, '🧭'));
  assert.match(refused.words, /REACTION_INVALID/);
  const { nativeID } = await channel.send(address, part('oops'), { key: 'k' });
  await channel.remove(address, nativeID);
  await channel.remove(address, nativeID);
  assert.equal(sandbox.shown('dm', 'you').length, 1);
});

test('a rate limit says how long to wait and that nothing was sent, and it is the whole chat’s (D4, TR)', async (t) => {
  const { sandbox, channel } = await createBench(t);
  sandbox.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 126_000 });
  const failure = await failureOf(channel, channel.send(directMessage(sandbox), part('x'), { key: 'k' }));
  assert.deepEqual(
    [failure.kind, failure.retryAfterMs, failure.maybeDelivered],
    ['rate_limit', 126_000, false],
  );
  // sends, edits and all else share one limit in a chat
  assert.deepEqual([failure.sameActOnly, failure.wholeAccount], [undefined, undefined]);
  assert.equal(sandbox.calls().length, 1);
});

test('a repeat is marked as one and stays within the limit (C1)', async (t) => {
  const { sandbox, channel } = await createBench(t);
  const parts = channel.render(`**first** ${'word '.repeat(2000)}`);
  const [rendered] = parts;
  const mark = '(This may be a repeat.)';
  assert.ok(rendered && channel.markRepeat && parts.length > 1);
  const marked = channel.markRepeat(rendered, mark);
  await channel.send(directMessage(sandbox), marked, { key: 'k' });
  const [paragraph] = sandbox.shown('dm', 'you')[0]?.blocks ?? [];
  assert.ok(paragraph?.kind === 'paragraph');
  assert.match(paragraph.runs[0]?.text ?? '', /^\(This may be a repeat\.\)\n$/);
  assert.deepEqual(paragraph.runs[1], { text: 'first', styles: ['bold'] });
  for (const one of parts)
    await channel.send(directMessage(sandbox), channel.markRepeat(one, mark), { key: 'k' });
});

test('a lost response is one post, made once, and known as perhaps delivered (C1)', async (t) => {
  const { sandbox, channel } = await createBench(t);
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  const failure = await failureOf(channel, channel.send(directMessage(sandbox), part('once'), { key: 'k' }));
  assert.deepEqual([failure.kind, failure.maybeDelivered], ['transient', true]);
  assert.ok(!failure.words.includes(sandbox.tokens.bot));
  assert.equal(sandbox.shown('dm', 'you').length, 1);
  assert.equal(sandbox.calls().length, 1);
  assert.equal(channel.caps.idempotentSend, false);
});

test('a call that gets no answer in time ends, and may have been carried out', async (t) => {
  const { sandbox, again } = await createBench(t);
  const channel = again({ callSeconds: 0.05 });
  sandbox.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 3_600_000 });
  const failure = await failureOf(channel, channel.send(directMessage(sandbox), part('x'), { key: 'k' }));
  assert.deepEqual([failure.kind, failure.maybeDelivered], ['transient', true]);
});

test('a server that is not there has delivered nothing', async (t) => {
  const { sandbox, again } = await createBench(t);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(typeof address === 'object' && address !== null);
  const channel = again({ apiUrl: `http://127.0.0.1:${address.port}/` });
  const failure = await failureOf(channel, channel.send(directMessage(sandbox), part('x'), { key: 'k' }));
  assert.deepEqual([failure.kind, failure.maybeDelivered], ['transient', false]);
  assert.match(failure.words, /ECONNREFUSED/);
  assert.ok(!failure.words.includes(sandbox.tokens.bot));
});

test('refusals are distinguished: blocked, gone, too long, wrong, not rendered for Telegram', async (t) => {
  const { sandbox, channel } = await createBench(t);
  const address = directMessage(sandbox);
  const kindOf = async (work: Promise<unknown>) => (await failureOf(channel, work)).kind;
  const send = (to: Address, what: MessagePart) => channel.send(to, what, { key: 'k' });
  assert.equal(await kindOf(send({ ...address, chat: '42' }, part('x'))), 'gone');
  assert.equal(await kindOf(send({ ...address, thread: '77' }, part('x'))), 'gone');
  assert.equal(await kindOf(channel.edit(address, '9', part('x'))), 'gone');
  assert.equal(await kindOf(send(address, part('x'.repeat(4097)))), 'too_long');
  assert.equal(await kindOf(send(address, { text: 'x', body: { content: 'x' } })), 'invalid');
  assert.equal(await kindOf(send({ ...address, chat: 'C0123' }, part('x'))), 'invalid');
  sandbox.setAccess({ chat: 'dm', user: 'you' }, 'closed');
  assert.equal(await kindOf(send(address, part('x'))), 'permission');
  sandbox.inject({ kind: 'server_error', target: 'send', times: 1 });
  assert.equal(await kindOf(send(address, part('x'))), 'transient');
});

test('a send whose signal aborts ends', async (t) => {
  const { sandbox, channel } = await createBench(t);
  sandbox.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 3_600_000 });
  const work = channel.send(directMessage(sandbox), part('x'), { key: 'k', signal: AbortSignal.abort() });
  assert.equal((await failureOf(channel, work)).kind, 'transient');
});

test('the doctor names privacy mode, what only administrators receive, a webhook and a refused token, each with its hint', async (t) => {
  const { sandbox, channel } = await createBench(t);
  sandbox.setWebhook('https://example.com/hook');
  const findings = await channel.check();
  assert.deepEqual(
    findings.map(({ level }) => level),
    ['ok', 'warning', 'ok', 'warning'],
  );
  assert.match(findings[1]?.hint ?? '', /\/setprivacy.*add it again/);
  assert.match(findings[2]?.what ?? '', /no administrator.*only what was written since they were first seen/);
  sandbox.setWebhook('');
  sandbox.setPrivacy('off');
  assert.ok((await channel.check()).every(({ level }) => level === 'ok'));
  sandbox.revokeToken();
  const [refused] = await channel.check();
  assert.equal(refused?.level, 'error');
  assert.match(refused?.hint ?? '', /@BotFather/);
});
