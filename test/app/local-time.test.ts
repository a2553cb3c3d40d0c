// The time in the prompt is that of the person who asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScriptedHouse, sent } from './model-house.ts';

const here = { platform: 'discord', chat: 'dm', user: 'you' } as const;
const one = { platforms: ['discord'] } as const;

test('the model reads the local time of the person who asks, else that of the program, with its zone and distance from UTC (R19)', async (t) => {
  const { house, requests } = await openScriptedHouse(t, (call) => call.answer('Noon.'), one);
  const times = async (): Promise<string> => {
    await house.ask(here, 'what time is it?');
    return sent(requests.at(-1));
  };
  assert.match(await times(), /Now it is \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
  await house.ask(here, '/zone Berlin');
  assert.match(
    await times(),
    /Now it is \w+day \d{4}-\d\d-\d\d \d\d:\d\d in Europe\/Berlin \(UTC\+0[12]:00\)/,
  );
  await house.ask(here, '/zone Asia/Kolkata');
  assert.match(await times(), /in Asia\/(Kolkata|Calcutta) \(UTC\+05:30\)/);
  const { house: other, requests: its } = await openScriptedHouse(t, (call) => call.answer('Noon.'), {
    ...one,
    config: { timeZone: 'Asia/Tokyo' },
  });
  await other.ask(here, 'what time is it?');
  assert.match(sent(its.at(-1)), /in Asia\/Tokyo \(UTC\+09:00\)/);
  await other.ready('slack');
  await other.ask({ ...here, platform: 'slack' }, 'what time is it?');
  assert.match(sent(its.at(-1)), /in Etc\/UTC \(UTC\+00:00\)/, 'Slack says the zone of the profile');
});
