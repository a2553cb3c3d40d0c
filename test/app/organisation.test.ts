// Memory in an organisation of Slack: what an open room of one workspace says is for that workspace's members, one person in all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openModelHouse } from './model-house.ts';

test('who is in both workspaces is reminded in private of both; who is in one, of that one alone', async (t) => {
  const { house, model } = await openModelHouse(t, ['slack'], {}, { slack: { install: 'organisation' } });
  const { slack } = house.sandbox;
  slack.saySister('The vault code is Walrus', 'mention');
  await found('the sister is answered', () =>
    house.parley.gateway.status().every((each) => each.inboxBacklog + each.outboxBacklog === 0) &&
    slack.calls().some(({ name }) => name === 'chat.stopStream' || name === 'chat.postMessage')
      ? true
      : undefined,
  );
  const recalled = async (user: 'you' | 'guest'): Promise<boolean> => {
    await house.ask({ platform: 'slack', chat: 'dm', user }, 'What is the vault code?');
    return /Walrus/.test(JSON.stringify(model.getLastRequest()?.body));
  };
  assert.deepEqual([await recalled('guest'), await recalled('you')], [true, false]);
});
