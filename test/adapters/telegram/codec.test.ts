// Updates of kinds that the sandbox does not make, read as events: links, captions, forwards, channels, odd senders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Update } from 'grammy/types';
import type { InboundEvent, MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { toInbound } from '#adapters/telegram/codecs/inbound-codec.ts';
import { botApiJudge } from '../../sandbox/telegram/bot-api-judge.ts';

const self = { id: 99, username: 'helper_bot' };
const judge = botApiJudge();
const you = { id: 5, is_bot: false, first_name: 'You', last_name: 'There' };
const bot = { id: 99, is_bot: true, first_name: 'Helper', username: 'helper_bot' };
const group = { id: -1001, type: 'supergroup', title: 'Group' };
const base = { message_id: 7, date: 1_700_000_000, chat: group, from: you };

function read(update: object): InboundEvent | undefined {
  const whole = { update_id: 1, ...update };
  assert.deepEqual(judge?.type('Update', whole) ?? [], []);
  // The judge has held it against the specification; grammy's type says the same.
  return toInbound(whole as Update, self);
}

function message(content: object): MessageEvent {
  const event = read({ message: { ...base, ...content } });
  assert.ok(event?.type === 'message');
  return event;
}

const at = (text: string, part: string) => ({ offset: text.indexOf(part), length: part.length });

test('the updates of this file are checked against the specification', (t) => {
  if (judge === undefined) t.skip('shared/platform-specs/telegram-bot-api.json is not there');
});

test('the target of a link is written behind its words (E9)', () => {
  const text = '@helper_bot 👋 read this and a.org';
  const { text: shown } = message({
    text,
    entities: [
      { type: 'mention', ...at(text, '@helper_bot') },
      { type: 'text_link', ...at(text, 'this'), url: 'https://example.com/long' },
      { type: 'text_link', ...at(text, 'a.org'), url: 'https://a.org/' },
    ],
  });
  assert.equal(shown, '👋 read this (https://example.com/long) and a.org');
});

test('a mention by name at the end of a caption addresses the bot and is taken out (TN)', () => {
  const caption = 'What is on it, Helper';
  const event = message({
    caption,
    caption_entities: [{ type: 'text_mention', ...at(caption, 'Helper'), user: bot }],
    photo: [
      { file_id: 'small', file_unique_id: 's', width: 10, height: 10 },
      { file_id: 'large', file_unique_id: 'l', width: 100, height: 100, file_size: 1234 },
    ],
  });
  assert.deepEqual([event.text, event.addressed], ['What is on it,', 'mention']);
  assert.deepEqual(event.files, [{ id: 'large', name: 'photo.jpg', mime: 'image/jpeg', size: 1234 }]);
});

test('a mention of someone else stays in the text, and so does a command for another bot', () => {
  const text = '/stop@other_bot @someone';
  const event = message({
    text,
    entities: [
      { type: 'bot_command', ...at(text, '/stop@other_bot') },
      { type: 'mention', ...at(text, '@somebody') },
    ],
  });
  assert.deepEqual([event.text, event.addressed], [text, 'none']);
});

test('files of every kind come as references, an animation only once', () => {
  const file = (id: string) => ({ file_id: id, file_unique_id: `u${id}` });
  const voice = message({ voice: { ...file('v'), duration: 3, mime_type: 'audio/ogg' } });
  assert.deepEqual(voice.files, [
    { id: 'v', name: 'voice message.ogg', mime: 'audio/ogg', size: undefined, voice: true, seconds: 3 },
  ]);
  const gif = { ...file('g'), width: 1, height: 1, duration: 1, file_name: 'a.mp4' };
  const animation = message({ animation: gif, document: { ...file('g'), file_name: 'a.mp4' } });
  assert.deepEqual(
    animation.files.map(({ id, name }) => [id, name]),
    [['g', 'a.mp4']],
  );
  const place = message({ location: { latitude: 52.5, longitude: 13.4 } });
  assert.deepEqual([place.text, place.shared], ['', ['location: 52.5, 13.4']]);
});

test('a quote, a reply into another chat and a forward bring their text and author (F7)', () => {
  const quoted = message({
    text: 'this one?',
    reply_to_message: { ...base, message_id: 3, from: bot, text: 'a long answer with a part' },
    quote: { text: 'a part', position: 19, is_manual: true },
  });
  assert.deepEqual(quoted.quoted, { nativeID: '3', author: 'Helper', text: 'a part', fromBot: true });
  assert.equal(quoted.addressed, 'reply');
  const external = message({
    text: 'and that?',
    external_reply: {
      origin: { type: 'hidden_user', date: 1, sender_user_name: 'Somebody' },
      message_id: 12,
    },
    quote: { text: 'said somewhere else', position: 0 },
  });
  assert.deepEqual(external.quoted, {
    nativeID: '12',
    author: 'Somebody',
    text: 'said somewhere else',
    fromBot: false,
  });
  const forward = message({
    text: 'the news',
    forward_origin: {
      type: 'channel',
      date: 1,
      message_id: 4,
      chat: { id: -1009, type: 'channel', title: 'Daily' },
    },
  });
  assert.equal(forward.text, '', 'what is passed on is not the own word of who passes it on');
  assert.deepEqual(forward.quoted, {
    nativeID: '4',
    author: 'Daily',
    text: 'the news',
    fromBot: false,
    forwarded: true,
  });
  const order = message({
    text: '/stop',
    forward_origin: { type: 'hidden_user', date: 1, sender_user_name: 'Somebody' },
  });
  assert.equal(order.text, '', 'a forwarded command commands nothing');
});

test('the message that opened a topic is no reply, not even when the bot opened it', () => {
  const event = message({
    text: 'hello',
    message_thread_id: 3,
    is_topic_message: true,
    reply_to_message: {
      ...base,
      message_id: 3,
      from: bot,
      forum_topic_created: { name: 'Plans', icon_color: 7322096 },
    },
  });
  assert.deepEqual([event.addressed, event.quoted, event.address.thread], ['none', undefined, '3']);
});

test('channel posts, anonymous administrators and people each have their own identity', () => {
  const post = read({
    channel_post: { message_id: 1, date: 1, chat: { id: -1002, type: 'channel', title: 'Daily' }, text: 'x' },
  });
  assert.ok(post?.type === 'message');
  assert.deepEqual([post.address.kind, post.actor.id, post.addressed], ['channel', '-1002', 'none']);
  const placeholder = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
  const anonymous = message({ text: 'x', from: placeholder, sender_chat: group });
  assert.deepEqual(anonymous.actor, { id: '-1001', name: 'Group', isBot: false });
  const person = message({ text: 'x' });
  assert.deepEqual(person.actor, { id: '5', name: 'You There', isBot: false });
  assert.deepEqual(person.room, { names: { channel: 'Group' }, restricted: true });
});

test('the bot itself, service messages and empty updates give no event', () => {
  assert.equal(read({ message: { ...base, from: bot, text: 'mine' } }), undefined);
  assert.equal(read({ message: { ...base, new_chat_title: 'Other' } }), undefined);
  assert.equal(read({ message: { ...base, message_id: 0, text: 'only for one' } }), undefined);
  assert.equal(read({}), undefined);
});

test('what bots cannot open is reported in words, and a checklist with what is done', () => {
  const channel = { id: -1002, type: 'channel', title: 'News' };
  const story = message({ story: { chat: channel, id: 3 } });
  assert.deepEqual(story.shared, ['a story of News, which bots cannot open']);
  const paid = message({
    paid_media: { star_count: 25, paid_media: [{ type: 'preview' }, { type: 'preview' }] },
  });
  assert.deepEqual(paid.shared, ['2 paid pictures or videos (25 stars), which bots cannot open']);
  const checklist = message({
    checklist: {
      title: 'Party',
      tasks: [
        { id: 1, text: 'cake', completed_by_user: you, completion_date: 1_700_000_000 },
        { id: 2, text: 'music' },
      ],
    },
  });
  assert.deepEqual(checklist.shared, ['checklist: Party\n[x] cake\n[ ] music']);
});

test('the files of a message that is answered go along, also of one in another chat', () => {
  const photo = [{ file_id: 'large', file_unique_id: 'l', width: 100, height: 100, file_size: 1234 }];
  const files = [{ id: 'large', name: 'photo.jpg', mime: 'image/jpeg', size: 1234 }];
  const replied = { ...base, message_id: 6, from: { ...you, id: 6 }, caption: 'the sign', photo };
  const here = message({ text: 'what is on it?', reply_to_message: replied });
  assert.deepEqual([here.quoted?.text, here.quoted?.files, here.files], ['the sign', files, []]);
  const origin = { type: 'hidden_user', date: 1_700_000_000, sender_user_name: 'Somebody' };
  const somewhereElse = message({ text: 'and on this?', external_reply: { origin, photo } });
  assert.deepEqual([somewhereElse.quoted?.text, somewhereElse.quoted?.files], ['photo.jpg', files]);
});
