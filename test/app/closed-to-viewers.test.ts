// What a viewer of the console is shown of a room that is closed on its platform afterwards: nothing, of no conversation that it ever had.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

test('a channel on Slack that becomes private takes the conversations of all its messages from viewers', async (t) => {
  const house = await openHouse(t);
  await house.ready('slack');
  const { places } = house.sandbox.slack;
  const space = places.addSpace('crew');
  const account = places.addAccount('ann');
  places.joinSpace(account, space);
  const room = places.addRoom({
    space,
    kind: 'public',
    name: 'lobby',
    parent: undefined,
    members: [account],
  });
  const { url, tokenFile } = house.parley;
  const token = readFileSync(tokenFile ?? '', 'utf8').trim();
  const send = async (path: string, body: object, headers: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      body: JSON.stringify(body),
    });
  const link = (await (
    await send('/sign-in/link', { role: 'viewer', name: 'Ben' }, { authorization: `Bearer ${token}` })
  ).json()) as { key: string };
  const signedIn = await send('/sign-in', { key: link.key }, {});
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const seen = async (): Promise<number> =>
    ((await (await fetch(`${url}/session`, { headers: { cookie } })).json()) as unknown[]).length;
  for (const text of ['The heron is near the lock.', 'The zeppelin lands on Monday.'])
    await places.say({ account, room, text, mention: true });
  await found('both conversations', async () => ((await seen()) === 2 ? true : undefined));
  places.setOpen(room, false);
  await found('nothing', async () => ((await seen()) === 0 ? true : undefined));
  assert.equal(await seen(), 0);
});
