// A run that needs approval, asked and answered in a chat of each platform through its real client library.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;

test('approval for a tool is asked for in private on each platform, given by its number, and shown as given (T14, J3)', async (t) => {
  const house = await openHouse(t, { config: { tools: { policy: { memory_search: 'ask' } } } });
  await house.ready(...all);
  const talks = all.map((platform) => ({ platform, chat: 'dm', user: 'you' }) as const);
  await Promise.all(
    talks.map(async (talk) => {
      const shown = (wanted: RegExp) =>
        found(`${talk.platform}: ${wanted}`, () =>
          house.answers(talk).find(({ text }) => wanted.test(text) || undefined),
        );
      const say = (text: string) => house.sandbox[talk.platform].say({ chat: 'dm', user: 'you', text });
      await say('Where is the spare key?');
      const asked = await shown(/May I use the tool/);
      assert.match(asked.text, /spare key\?[\s\S]*yes, this once[\s\S]*within 15 minutes/, talk.platform);
      await say('1');
      const settled = await shown(/allowed this once/);
      assert.doesNotMatch(settled.text, /Answer with the number/);
      await shown(/I remember nothing|remember/);
      await found(`${talk.platform} at rest`, () =>
        house.parley.gateway
          .status()
          .every(({ inboxBacklog, outboxBacklog }) => inboxBacklog + outboxBacklog === 0)
          ? true
          : undefined,
      );
      assert.equal(house.answers(talk).length, 2, JSON.stringify(house.answers(talk)));
    }),
  );
});
