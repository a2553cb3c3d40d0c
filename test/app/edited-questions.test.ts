// A question that is edited after its answer, on each platform: answered again by a button, at once, or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found, until } from '../support/found.ts';
import { openHouse, type Talk } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const offered = /changed your message/;

test('an edited question is answered again by a button, by whom was answered, or at once, or not at all (R38)', async (t) => {
  const asked: string[] = [];
  const { settings } = await startRaw(t, ({ body, ...call }) => {
    asked.push(JSON.stringify(body.messages));
    call.answer('By the stairs.');
  });
  const configOf = (editReruns: string) => ({
    model: { name: 'm' },
    channels: Object.fromEntries(all.map((platform) => [platform, { editReruns }])),
  });
  const house = await openHouse(t, {
    config: configOf('ask'),
    variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  for (const platform of all) {
    const server = house.sandbox[platform];
    const talk: Talk = { platform, chat: 'room', user: 'you' };
    const answers = () => house.answers(talk).filter(({ text }) => text.startsWith('By the stairs'));
    const { id } = await server.say({ chat: 'room', user: 'you', text: 'Which weigh?', mention: true });
    await until(`${platform}: the answer`, () => answers().length === 1);
    await until(`${platform}: it is over`, () => house.parley.gateway.lanes().active === 0);
    asked.length = 0;
    // in privacy mode Telegram shows the bot only what names it
    const named = platform === 'telegram' ? `@${house.sandbox.telegram.botName} ` : '';
    await server.editMessage(id, `${named}Which way up?`);
    const offer = await found(`${platform}: the offer`, () =>
      house.answers(talk).find(({ text, buttons }) => offered.test(text) && buttons !== undefined),
    );
    assert.deepEqual(offer.buttons, ['Answer again'], platform);
    server.pressButton({ id: offer.id, user: 'guest', at: 0 });
    await until(`${platform}: it is not the guest's`, () => server.whispers('guest').length > 0);
    server.pressButton({ id: offer.id, user: 'you', at: 0 });
    await until(`${platform}: another answer`, () => answers().length === 2);
    await until(`${platform}: the button goes`, () =>
      house.answers(talk).some((message) => message.id === offer.id && message.buttons === undefined),
    );
    assert.equal(asked.length, 1, `${platform}: one offer, one more answer`);
    assert.match(asked[0] ?? '', /Which way up\?/, platform);
    assert.doesNotMatch(asked[0] ?? '', /weigh|\[correction/, platform);
    assert.equal(house.answers(talk).filter(({ text }) => offered.test(text)).length, 1, platform);
  }
  for (const [rule, more] of [
    ['always', 1],
    ['never', 0],
  ] as const) {
    await house.restart(configOf(rule));
    await house.ready(...all);
    for (const platform of all) {
      const server = house.sandbox[platform];
      const talk: Talk = { platform, chat: 'dm', user: 'you' };
      const before = house.answers(talk).length;
      const { id } = await server.say({ chat: 'dm', user: 'you', text: 'Which weigh?' });
      await until(`${platform}: the answer`, () => house.answers(talk).length === before + 1);
      await until(`${platform}: it is over`, () => house.parley.gateway.lanes().active === 0);
      await server.editMessage(id, 'Which way?');
      if (more === 1) await until(`${platform}: again`, () => house.answers(talk).length === before + 2);
      // what is asked next shows that nothing else came of the edit
      await house.ask(talk, 'Thanks');
      assert.equal(house.answers(talk).length, before + 2 + more, `${platform} ${rule}`);
    }
  }
});
