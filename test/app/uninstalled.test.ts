// A platform ends the connection permanently: status says so, owners are told where they can still be reached, and nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const dm = { chat: 'dm', user: 'you' } as const;

test('owners on other platforms learn once that the Slack app was uninstalled, and status says it', async (t) => {
  const house = await openHouse(t, { config: { model: { provider: 'offline' } } });
  await house.ready('telegram', 'slack');
  await house.ask({ platform: 'telegram', ...dm }, 'good morning');
  await house.ask({ platform: 'slack', ...dm }, 'good evening');
  const before = house.answers({ platform: 'telegram', ...dm }).length;
  house.sandbox.slack.uninstall('tokens_revoked');
  const told = await found('the owner is told', () => house.answers({ platform: 'telegram', ...dm })[before]);
  assert.match(
    told.text,
    /Slack has ended my connection.*revoked.*Install the app again.*Everything that waits there is saved/s,
  );
  const status = house.parley.gateway.status().find(({ platform }) => platform === 'slack');
  assert.deepEqual([status?.state, /Install the app again/.test(status?.problem ?? '')], ['failed', true]);
  await house.ask({ platform: 'telegram', ...dm }, 'and you?');
  assert.equal(house.answers({ platform: 'telegram', ...dm }).length, before + 2);
});
