// One installation for a whole organisation: several workspaces, people who are in some of them, and one that is taken away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { homeWorkspaceOf } from '#adapters/slack/codecs/organisation.ts';
import { until } from '../../../support/found.ts';
import { connected, type FixtureOptions } from '../fixture.ts';
import { manualClock } from '../harness.ts';

const organisation: FixtureOptions = { sandbox: { install: 'organisation' } };
const signal = new AbortController().signal;
const account = 'E0SANDBOX/U0PARLEY0';
const sisterRoom: Address = {
  platform: 'slack',
  account,
  space: 'T0SISTER0',
  chat: 'C0SISTER0',
  kind: 'channel',
};
const ownRoom: Address = { ...sisterRoom, space: 'T0SANDBOX', chat: 'C0ROOM000' };
const direct: Address = { platform: 'slack', account, chat: 'D0YOU0000', kind: 'dm' };
const you = 'E0SANDBOX/U0YOU0000';
const guest = 'E0SANDBOX/U0GUEST00';

for (const connection of ['socket', 'polling'] as const)
  test(`a person is one person in all workspaces, and a room belongs to its own (${connection})`, async (t) => {
    const { sandbox, channel, sink } = await connected(t, { ...organisation, connection });
    sandbox.saySister('and here?', 'mention');
    await sandbox.say({ chat: 'room', user: 'guest', text: 'hello', mention: true });
    await sandbox.say({ chat: 'dm', user: 'you', text: 'in private' });
    await until('all three', () => sink.messages.length === 3);
    const received = new Map(sink.messages.map(({ address, actor }) => [address.chat, { address, actor }]));
    assert.deepEqual(
      [received.get('C0SISTER0')?.actor.id, received.get('C0ROOM000')?.actor.id],
      [guest, guest],
    );
    assert.equal(received.get('D0YOU0000')?.actor.id, you);
    assert.deepEqual(
      { ...received.get('C0SISTER0')?.address, thread: undefined },
      { ...sisterRoom, thread: undefined },
    );
    assert.deepEqual(
      { ...received.get('C0ROOM000')?.address, thread: undefined },
      { ...ownRoom, thread: undefined },
    );
    assert.deepEqual(received.get('D0YOU0000')?.address, direct);
    const [part] = channel.render('Here.');
    assert.ok(part);
    const { nativeID } = await channel.send(sisterRoom, part, { key: 'k1', replyTo: undefined, signal });
    assert.ok(nativeID !== '');
  });

test('a workspace is open only to its own members, not to others of the organisation', async (t) => {
  const { channel } = await connected(t, organisation);
  const { rights } = channel;
  assert.ok(rights?.isOutsider);
  assert.deepEqual(
    await Promise.all([
      rights.ofSpace(ownRoom, you, signal),
      rights.ofSpace(ownRoom, guest, signal),
      rights.ofSpace(sisterRoom, you, signal),
      rights.ofSpace(sisterRoom, guest, signal),
      rights.ofSpace(sisterRoom, 'T0ELSEWHERE/U0GUEST00', signal),
    ]),
    [true, true, false, true, false],
  );
  assert.deepEqual(
    [await rights.ofRoom(sisterRoom, you, signal), await rights.ofRoom(sisterRoom, guest, signal)],
    ['nothing', 'everything'],
  );
  assert.deepEqual(await rights.readers(sisterRoom, signal), { restricted: false, outsiders: false });
  assert.deepEqual(
    [await rights.isOutsider(direct, you, signal), await rights.isOutsider(direct, 'T0ELSEWHERE/U1', signal)],
    [false, true],
  );
});

test('a workspace that is taken away from the app ends nothing in the others', async (t) => {
  const clock = manualClock();
  const { sandbox, sink } = await connected(t, { ...organisation, channel: { clock } });
  sandbox.lockOut('T0SISTER0');
  const ready = () => sink.states.filter(({ state }) => state === 'ready').length;
  sandbox.inject({ kind: 'drop_socket' });
  await sandbox.say({ chat: 'room', user: 'you', text: 'still here?', mention: true });
  await until('connected again', () => ready() === 2);
  await until('what was missed', () => sink.messages.length === 1);
  assert.ok(!sink.states.some(({ state }) => state === 'failed'));
});

test('a channel belongs to one workspace of the organisation, no matter who shares it', () => {
  const channel = { id: 'C1', context_team_id: 'T2' };
  assert.deepEqual(
    [
      homeWorkspaceOf(channel),
      homeWorkspaceOf({ ...channel, is_org_shared: true, internal_team_ids: ['T3', 'T1', 'E1'] }),
      homeWorkspaceOf({
        ...channel,
        is_org_shared: true,
        internal_team_ids: ['T3', 'T1'],
        conversation_host_id: 'T3',
      }),
      homeWorkspaceOf({ ...channel, is_ext_shared: true, conversation_host_id: 'T9' }),
      homeWorkspaceOf({ id: 'C1' }),
    ],
    ['T2', 'T1', 'T3', 'T2', undefined],
  );
});
