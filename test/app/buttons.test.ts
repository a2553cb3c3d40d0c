// Approval and answers by the platforms' own buttons, from the press through the real client library to the run that continues.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const config = { tools: { policy: { memory_search: 'ask' } } };

test('approval is given by a button on each platform, once; what comes after it is reported, and the button goes (T14, J2)', async (t) => {
  const house = await openHouse(t, { config });
  await house.ready('discord', 'telegram', 'slack');
  await Promise.all(
    all.map(async (platform) => {
      const server = house.sandbox[platform];
      const talk = { platform, chat: 'dm', user: 'you' } as const;
      await server.say({ chat: 'dm', user: 'you', text: 'Where is the spare key?' });
      const asked = await found(`${platform}: the request`, () =>
        house.answers(talk).find(({ text }) => /May I use/.test(text)),
      );
      assert.deepEqual(asked.buttons, ['yes, this once', 'no'], platform);
      // twice, as an impatient thumb does: the second is told that it is over, in private
      server.pressButton({ id: asked.id, user: 'you', at: 0 });
      server.pressButton({ id: asked.id, user: 'you', at: 1 });
      await found(`${platform}: the second press`, () =>
        server.whispers('you').find((words) => /This is over: /.test(words)),
      );
      const settled = await found(`${platform}: the end`, () =>
        house.answers(talk).find(({ text }) => /_?allowed this once/.test(text)),
      );
      await found(`${platform}: the answer`, () =>
        house.answers(talk).find(({ text }) => /remember/.test(text)),
      );
      assert.deepEqual([settled.id, settled.buttons], [asked.id, undefined], 'they are gone');
    }),
  );
});

test('in a room on each platform everyone sees that approval is asked for, and the owner alone gives it (J2)', async (t) => {
  const house = await openHouse(t, { config });
  await house.ready(...all);
  await Promise.all(
    all.map(async (platform) => {
      const server = house.sandbox[platform];
      const talk = { platform, chat: 'room', user: 'guest' } as const;
      const shown = (wanted: RegExp) =>
        found(`${platform}: ${wanted}`, () => house.answers(talk).find(({ text }) => wanted.test(text)));
      await server.say({ chat: 'room', user: 'guest', text: 'Where is the spare key?', mention: true });
      const asked = await shown(/May I use/);
      assert.match(asked.text, /^What Guest wants needs approval, which Robin can give\./i, platform);
      assert.deepEqual(asked.buttons, ['yes, this once', 'no'], platform);
      server.pressButton({ id: asked.id, user: 'guest', at: 0 });
      await found(`${platform}: the refusal`, () =>
        server.whispers('guest').find((words) => /cannot approve/.test(words)),
      );
      const owners = house.answers({ ...talk, user: 'you' });
      assert.equal(owners.length, 1, `${platform}: nobody else was told of it`);
      server.pressButton({ id: asked.id, user: 'you', at: 0 });
      const settled = await shown(/allowed this once by Robin/i);
      assert.deepEqual([settled.id, settled.buttons], [asked.id, undefined], platform);
      await shown(/remember/);
    }),
  );
});

test('in a room with privacy mode and without buttons the number, as an answer to the bot, does the same (J2, T15)', async (t) => {
  const house = await openHouse(t, { config });
  await house.ready('telegram');
  const server = house.sandbox.telegram;
  const talk = { platform: 'telegram', chat: 'room', user: 'you' } as const;
  const text = 'My password is tr0ub4dor3. Where is the spare key?';
  await server.say({ chat: 'room', user: 'guest', text, mention: true });
  const shown = (wanted: RegExp) =>
    found(String(wanted), () => house.answers(talk).find((answer) => wanted.test(answer.text)));
  const { id, text: asked } = await shown(/May I use/);
  assert.match(asked, /\[redacted:password\]/);
  assert.doesNotMatch(asked, /tr0ub4dor3/);
  await server.say({ chat: 'room', user: 'guest', text: '1', replyTo: id });
  await shown(/^You cannot approve this/);
  await server.say({ chat: 'room', user: 'you', text: '2', replyTo: id });
  await shown(/not allowed by Robin/i);
});
