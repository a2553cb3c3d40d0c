// What every channel promises, asked of each through its real client library and a server on loopback.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { createForwardClock } from '../support/forward-clock.ts';
import { found } from '../support/found.ts';
import { type Connected, connect, type Platform, platforms } from './platforms.ts';

async function connected(t: TestContext, platform: Platform): Promise<Connected> {
  const server = await platform.sandbox();
  t.after(() => server.close());
  const one = await connect(platform, server);
  t.after(() => one.disconnect());
  return one;
}

function only(parts: readonly MessagePart[]): MessagePart {
  const [part] = parts;
  assert.ok(part !== undefined && parts.length === 1, `${parts.length} parts`);
  return part;
}

const shownTexts = ({ server }: Connected): string[] =>
  server.shown('dm', 'you').flatMap(({ author, text }) => (author === 'bot' ? [text.trim()] : []));

const cases: Record<string, (one: Connected, platform: Platform) => Promise<void>> = {
  'a direct message comes once, with its person and an address that round-trips': async (one) => {
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello there' });
    const event = await one.received(id);
    assert.equal(event.addressed, 'dm');
    assert.equal(event.address.kind, 'dm');
    assert.equal(event.address.space, undefined);
    assert.equal(event.text, 'hello there');
    assert.equal(event.actor.id, one.server.userID('you'));
    assert.equal(event.actor.isBot, false);
    assert.deepEqual(parseAddress(formatAddress(event.address)), event.address);
    await one.server.redeliver(id);
    const next = await one.server.say({ chat: 'dm', user: 'you', text: 'next' });
    await one.received(next.id);
    assert.equal(one.messages.filter(({ nativeID }) => nativeID === id).length, 1);
  },

  'a mention in a room is removed and remembered; talk that is not for the bot is not addressed': async (
    one,
  ) => {
    const talk = await one.server.say({ chat: 'room', user: 'guest', text: 'lovely faults' });
    const { id } = await one.server.say({
      chat: 'room',
      user: 'you',
      text: 'what time is it?',
      mention: true,
    });
    const event = await one.received(id);
    assert.equal(event.addressed, 'mention');
    assert.equal(event.text, 'what time is it?');
    assert.notEqual(event.address.kind, 'dm');
    assert.equal(one.messages.find(({ nativeID }) => nativeID === talk.id)?.addressed ?? 'none', 'none');
  },

  'two people and two rooms are told apart by their ids': async (one) => {
    const said: MessageEvent[] = [];
    for (const [chat, user] of [
      ['room', 'you'],
      ['room', 'guest'],
      ['private', 'you'],
    ] as const) {
      const { id } = await one.server.say({ chat, user, text: 'hi', mention: true });
      said.push(await one.received(id));
    }
    const [mine, theirs, hidden] = said;
    assert.notEqual(mine?.actor.id, theirs?.actor.id);
    assert.equal(mine?.address.chat, theirs?.address.chat);
    assert.notEqual(mine?.address.chat, hidden?.address.chat);
    assert.equal(mine?.room?.restricted, false);
    assert.equal(hidden?.room?.restricted, true);
  },

  'a message that is sent stands in the chat, can be edited, edited to the same, and removed': async (
    one,
  ) => {
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
    const { address } = await one.received(id);
    const { nativeID } = await one.channel.send(address, only(one.channel.render('**first**')), {
      key: 'k1',
    });
    assert.deepEqual(shownTexts(one), ['first']);
    const second = only(one.channel.render('second'));
    await one.channel.edit(address, nativeID, second);
    await one.channel.edit(address, nativeID, second);
    assert.deepEqual(shownTexts(one), ['second']);
    await one.channel.remove(address, nativeID);
    assert.deepEqual(shownTexts(one), []);
  },

  'an answer in a room lands in that room and nowhere else': async (one) => {
    const { id } = await one.server.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
    const { address, nativeID } = await one.received(id);
    await one.channel.send(address, only(one.channel.render('in the room')), {
      key: 'k1',
      replyTo: nativeID,
    });
    assert.deepEqual(
      one.server
        .shown('room', 'you')
        .filter(({ author }) => author === 'bot')
        .map(({ text }) => text.trim()),
      ['in the room'],
    );
    assert.deepEqual(shownTexts(one), []);
  },

  'a long answer is accepted part by part, and all of its words are in order (E1)': async (one) => {
    const words = Array.from({ length: 6_000 }, (_, at) => `word${at}`);
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
    const { address } = await one.received(id);
    const parts = one.channel.render(words.join(' '));
    assert.ok(parts.length >= 4);
    for (const [at, part] of parts.entries()) await one.channel.send(address, part, { key: `k${at}` });
    assert.deepEqual(shownTexts(one).join(' ').split(/\s+/), words);
  },

  'a part that the platform refuses is explained as invalid, and certainly has no effect': async (
    one,
    { name },
  ) => {
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
    const { address } = await one.received(id);
    const empty = { discord: { content: '' }, telegram: { text: '', entities: [] }, slack: { text: '' } }[
      name
    ];
    const refused = await one.channel
      .send(address, { text: '', body: empty }, { key: 'k1' })
      .catch((error: unknown) => error);
    const failure = one.channel.explain(refused);
    assert.equal(failure.kind, 'invalid');
    assert.equal(failure.maybeDelivered, false);
  },

  'a rate limit is explained with its time, and nothing was posted (D4)': async (one) => {
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
    const { address } = await one.received(id);
    one.server.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 7_000 });
    const limited = await one.channel
      .send(address, only(one.channel.render('x')), { key: 'k1' })
      .catch((error: unknown) => error);
    const failure = one.channel.explain(limited);
    assert.equal(failure.kind, 'rate_limit');
    // what is left of it when the answer is read
    const left = failure.retryAfterMs ?? 0;
    assert.ok(left > 6_000 && left <= 7_000, `${left} ms`);
    assert.equal(failure.maybeDelivered, false);
    assert.deepEqual(shownTexts(one), []);
  },

  'a response that is lost may have been delivered; where the platform can know, the message is found or not doubled (C1)':
    async (one) => {
      const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
      const { address } = await one.received(id);
      const part = only(one.channel.render('once'));
      one.server.inject({ kind: 'lost_response', target: 'send', times: 1 });
      const lost = await one.channel.send(address, part, { key: 'k1' }).catch((error: unknown) => error);
      assert.equal(one.channel.explain(lost).maybeDelivered, true);
      assert.deepEqual(shownTexts(one), ['once']);
      if (one.channel.caps.idempotentSend) await one.channel.send(address, part, { key: 'k1' });
      else if (one.channel.find !== undefined) assert.ok(await one.channel.find(address, 'k1', 'part'));
      else assert.ok(one.channel.markRepeat?.(part, '(Once more?)').text.includes('once'));
      assert.deepEqual(shownTexts(one), ['once']);
    },

  'a message that could not be committed is handed in again, in order (A5)': async (one) => {
    one.refuse(1);
    const first = await one.server.say({ chat: 'dm', user: 'you', text: 'one' });
    const second = await one.server.say({ chat: 'dm', user: 'you', text: 'two' });
    await one.received(second.id);
    await one.received(first.id);
    assert.deepEqual(one.messages.map(({ text }) => text).sort(), ['one', 'two']);
  },

  'after a dropped connection nothing is lost and nothing comes twice (A4)': async (one) => {
    const first = await one.server.say({ chat: 'dm', user: 'you', text: 'before' });
    await one.received(first.id);
    one.server.inject({ kind: 'drop_socket' });
    const second = await one.server.say({ chat: 'dm', user: 'you', text: 'meanwhile' });
    await one.received(second.id);
    assert.deepEqual(
      one.messages.map(({ text }) => text),
      ['before', 'meanwhile'],
    );
  },

  // Telegram has no mention of everyone; a name that nobody has pings nobody
  'an answer that shouts at everyone pings nobody (J1)': async (one) => {
    const { id } = await one.server.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
    const { address } = await one.received(id);
    await one.channel.send(address, only(one.channel.render('@everyone <!channel> <!here> wake up')), {
      key: 'k1',
    });
    const shown = await found('the answer', () =>
      one.server.shown('room', 'you').find(({ author }) => author === 'bot'),
    );
    assert.equal(
      shown.blocks.some(
        (block) => 'runs' in block && block.runs.some(({ styles }) => styles.includes('mention')),
      ),
      false,
    );
  },
};

for (const platform of platforms) {
  for (const [title, run] of Object.entries(cases)) {
    if (platform.name === 'telegram' && title.endsWith('(J1)')) continue;
    test(`${platform.name}: ${title}`, async (t) => run(await connected(t, platform), platform));
  }

  test(`${platform.name}: a refused token ends the channel with a message, without the token (H7)`, async (t) => {
    const server = await platform.sandbox();
    t.after(() => server.close());
    const token = server.tokens.bot.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, (last) => (last === '7' ? '8' : '7'));
    const channel = platform.channel(server, { token });
    const silent = {
      report: () => {},
      alive: () => {},
      unanswered: async () => [],
      disown: async () => undefined,
      reportBacklog: () => {},
    };
    const sink = {
      ...silent,
      cursor: async () => undefined,
      chats: async () => [],
      accepted: async () => [],
    };
    const unused = async () => assert.fail('nothing can be accepted');
    const error: unknown = await channel
      .run(
        {
          ...{ ...sink, accept: unused, advance: unused, take: unused },
          pass: () => assert.fail('nothing can be passed'),
        },
        new AbortController().signal,
      )
      .then(
        () => assert.fail('it was accepted'),
        (reason: unknown) => reason,
      );
    const failure = channel.explain(error);
    assert.equal(failure.kind, 'auth');
    assert.equal(failure.words.includes(token), false);
  });
}

for (const platform of platforms)
  test(`${platform.name}: a message that cannot be taken in is tried for ten minutes and passed by, and what is behind it is taken in`, async (t) => {
    const clock = createForwardClock();
    const server = await platform.sandbox();
    t.after(() => server.close());
    const one = await connect(platform, server, clock);
    t.after(() => one.disconnect());
    const say = (text: string) => server.say({ chat: 'dm', user: 'you', text });
    await one.received((await say('hello')).id);
    const attempts = one.breakNext();
    const began = clock.now();
    await say('bad');
    const { id } = await say('next');
    const isIn = (): boolean => one.messages.some(({ nativeID }) => nativeID === id);
    await found('an attempt', () => (attempts() > 0 ? true : undefined));
    for (let minute = 0; minute < 30 && !isIn(); minute += 1) {
      const before = attempts();
      clock.advance(60_000);
      await found('the next attempt', () => (attempts() > before || isIn() ? true : undefined));
    }
    await one.received(id);
    assert.ok(clock.now() - began >= 600_000, `after ${clock.now() - began} ms`);
    assert.match(one.passed.join(), /^[^,]*it has no place\.$/, 'once');
    assert.deepEqual(
      one.messages.map(({ text }) => text),
      ['hello', 'next'],
    );
  });

for (const platform of platforms)
  test(`${platform.name}: a bug is told apart from a failure of the network`, async () => {
    const server = await platform.sandbox();
    try {
      const { explain } = platform.channel(server);
      const network = [
        Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
        new TypeError('fetch failed', {
          cause: Object.assign(new Error('slow'), { code: 'UND_ERR_SOCKET' }),
        }),
        new DOMException('too long', 'TimeoutError'),
      ];
      for (const error of network) assert.equal(explain(error).unexpected, undefined, error.message);
      assert.equal(explain(new TypeError('x is not a function')).unexpected, true);
    } finally {
      await server.close();
    }
  });
