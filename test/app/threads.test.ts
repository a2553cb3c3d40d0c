// Threads on the platforms themselves: what went before, where a mention is answered, and that it stays there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openModelHouse } from './model-house.ts';

const room = { chat: 'room', user: 'you' } as const;

test('called into a running thread, the assistant is told what was said there before, and answers there', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord', 'slack']);
  for (const platform of ['discord', 'slack'] as const) {
    const server = house.sandbox[platform];
    const root = await server.say({ chat: 'room', user: 'guest', text: 'The lift is broken' });
    await server.say({ chat: 'room', user: 'guest', text: 'since Monday, I think', thread: root.id });
    await server.say({ ...room, text: 'since when?', thread: root.id, mention: true });
    const answer = await found(`${platform} answers`, () => house.answers({ platform, ...room })[0]);
    assert.equal(answer.thread, root.id, platform);
    const request = JSON.stringify(model.getLastRequest()?.body);
    assert.match(request, /earlier in this thread, [Gg]uest: .{1,4}since Monday, I think/, platform);
    if (platform === 'slack')
      assert.match(request, /earlier in this thread, Guest: .{1,4}The lift is broken/);
    assert.match(request, /since when\?/);
  }
});

test('what the assistant was given of earlier messages goes when these are changed or deleted', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord', 'slack']);
  for (const platform of ['discord', 'slack'] as const) {
    const server = house.sandbox[platform];
    const asGuest = { chat: 'room', user: 'guest' } as const;
    const root = await server.say({ ...asGuest, text: 'The lift is broken' });
    const changed = await server.say({ ...asGuest, text: 'since Monday', thread: root.id });
    const gone = await server.say({ ...asGuest, text: 'since Sunday', thread: root.id });
    await server.say({ ...room, text: 'since when?', thread: root.id, mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...room })[0]);
    assert.match(JSON.stringify(model.getLastRequest()?.body), /since Monday.*since Sunday/, platform);
    await server.editMessage(changed.id, 'since Tuesday');
    await server.deleteMessage(gone.id);
    await server.say({ ...room, text: 'and now?', thread: root.id, mention: true });
    await found(`${platform} answers again`, () => house.answers({ platform, ...room })[1]);
    const request = JSON.stringify(model.getLastRequest()?.body);
    assert.match(request, /since when.*and now/, platform);
    assert.doesNotMatch(request, /since (Monday|Sunday)/, platform);
  }
});

test('a mention in a channel is answered in a thread or in the channel, as each platform is configured', async (t) => {
  for (const [opens, discordThread, slackThread] of [
    [undefined, 'none', 'own'],
    ['other', 'own', 'none'],
  ] as const) {
    const config =
      opens === undefined
        ? {}
        : { channels: { discord: { replyInThread: true }, slack: { replyInThread: false } } };
    const { house } = await openModelHouse(t, ['discord', 'slack'], config);
    for (const [platform, wanted] of [
      ['discord', discordThread],
      ['slack', slackThread],
    ] as const) {
      const server = house.sandbox[platform];
      const { id } = await server.say({ ...room, text: 'hello there', mention: true });
      const answer = await found(`${platform} answers`, () => house.answers({ platform, ...room })[0]);
      assert.equal(answer.thread, wanted === 'own' ? id : undefined, `${platform} ${opens}`);
      assert.match(answer.text, /Seen\./);
      if (wanted !== 'own') continue;
      await server.say({ ...room, text: 'and more', thread: id });
      const next = await found(`${platform} answers again`, () => house.answers({ platform, ...room })[1]);
      assert.equal(next.thread, id, 'the thread that was opened continues without a mention (F4)');
    }
  }
});
