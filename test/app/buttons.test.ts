// Leave and answers by the platforms' own buttons, from the press through the real client library to the run that goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../conformance/platforms.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const config = { tools: { policy: { memory_search: 'ask' } } };

test('T14, J2: leave is given by a button on each platform, once; what comes after it is told so, and the button goes', async (t) => {
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
