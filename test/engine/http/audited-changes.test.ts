// What an owner in a browser is given back by a change: words of another person leave a line in the audit there too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Firing } from '#engine/wire/schedules/schedule.ts';
import { bearer } from './kit.ts';
import { openSignedIn, page } from './sign-in-kit.ts';

const word = 'xylophone';
const audience = 'person:per_1';

const due: Firing = {
  ...{ id: 'fir_1', source_id: 'sch_1', text: 'Oil', person: null, zone: null, chat: 'discord:dm:1:2' },
  ...{ due_at_ms: 0, released_at_ms: 0, recurring: false },
  source: 'schedule',
  kind: 'text',
};

test('a change that gives back words of another person leaves a line for that person', async (t) => {
  const { send, signIn, memory } = await openSignedIn(t, () => ({
    takeFirings: async () => [
      { ...due, text: `Oil the ${word}`, person: 'per_1' },
      { ...due, person: null },
    ],
  }));
  const ofPerson = { person: 'per_1', chat: 'discord:dm:1:2', zone: 'UTC' };
  const schedule = async (text: string, when: string): Promise<{ id: string }> => {
    const { body, status } = await send('POST', '/schedule', bearer, { ...ofPerson, text, when });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  await send('POST', '/memory/put', bearer, { audience, content: `The ${word} has 44 bars.`, kind: 'fact' });
  const { id } = await schedule(`Tune the ${word}`, 'every day at 9');
  const silent: string[] = [];
  let looks = 0;
  const change = async (method: string, path: string, body?: unknown): Promise<void> => {
    looks += 1;
    const name = `Cid${looks}`;
    const given = await send(method, path, { ...(await signIn('owner', name)), ...page }, body);
    assert.match(
      JSON.stringify(given.body ?? ''),
      new RegExp(word),
      `${method} ${path}: ${JSON.stringify(given)}`,
    );
    const lines = await memory.audit({ of: audience });
    if (!lines.some(({ actor }) => JSON.stringify(actor).includes(name)))
      silent.push(`${method} ${path.replace(id, 'ID')}`);
  };
  await change('POST', `/schedule/${id}/confirm`, {});
  await change('PATCH', `/schedule/${id}`, { when: 'every day at 10' });
  await change('DELETE', `/schedule/${id}`);
  await change('POST', '/memory/forget', { audience, kind: 'fact' });
  await change('POST', '/firing/take', { platforms: ['discord'], gateway: 'x' });
  assert.deepEqual(silent, []);
});
