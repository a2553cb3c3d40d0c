// Long texts that the app of a platform splits into messages, from the platform to the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openModelHouse } from './model-house.ts';

const dm = { chat: 'dm', user: 'you' } as const;
const words = (length: number): string => 'heron '.repeat(length).slice(0, length);

/** A text that each platform's app splits inside of a word. */
const pastes = [
  { platform: 'telegram', limit: 4_096 },
  { platform: 'discord', limit: 2_000 },
] as const;

test('a paste that the app split is one run, in which no word is broken (R23)', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram', 'discord']);
  for (const { platform, limit } of pastes) {
    const whole = `${words(limit - 6)} [unbroken] ${words(500)}and that was all`;
    const before = model.getRequests().length;
    await house.sandbox[platform].say({ ...dm, text: whole.slice(0, limit) });
    await house.sandbox[platform].say({ ...dm, text: whole.slice(limit) });
    await found('the answer', () => house.answers({ platform, ...dm })[0]);
    const requests = model.getRequests().slice(before);
    assert.equal(requests.length, 1, platform);
    const sent = JSON.stringify(requests[0]?.body);
    assert.ok(sent.includes(' [unbroken] heron'), `${platform}: ${sent.slice(-900)}`);
    assert.match(sent, /and that was all/);
  }
});
