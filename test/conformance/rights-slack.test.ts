// Whatever happens in a Slack workspace, the channel says of everyone what Slack's own rules say: against the simulated server's state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RoomKind } from '#sandbox/places.ts';
import { never, stage } from '../adapters/slack/places-stage.ts';

const kinds: readonly RoomKind[] = ['public', 'private', 'group', 'shared'];
const memberships = ['member', 'guest', 'stranger'] as const;

/** What may happen to one of three accounts in one of four rooms. */
const happening = fc.record({
  what: fc.constantFrom('join', 'leave', 'come', 'go', 'open', 'close'),
  who: fc.nat(2),
  where: fc.nat(3),
  as: fc.nat(2),
});

test('rights agree with what each account may read, after anything that happens to rooms and accounts', async (t) => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 12 }), async (happenings) => {
      const { places, rights, space, anna, at, sandbox } = await stage(t);
      const accounts = ['a', 'b', 'c'].map((name) => places.addAccount(name));
      for (const [each, account] of accounts.entries()) places.joinSpace(account, space, memberships[each]);
      const rooms = await Promise.all(
        kinds.map(async (kind) => {
          const id = places.addRoom({ space, kind, name: kind, members: [anna] });
          const message = await places.say({ account: anna, room: id, text: 'words' });
          return { id, message, address: at(id, kind === 'group' ? 'group' : 'channel') };
        }),
      );
      for (const { what, who, where, as } of happenings) {
        const [account = '', room = ''] = [accounts[who], rooms[where]?.id];
        if (what === 'come') places.joinSpace(account, space, memberships[as]);
        if (what === 'go') places.leaveSpace(account, space, 'kicked');
        if (what === 'leave') places.leaveRoom(account, room, 'kicked');
        if (what === 'open' || what === 'close') places.setOpen(room, what === 'open');
        if (what === 'join') {
          try {
            places.joinRoom(account, room);
          } catch (error) {
            assert.match(String(error), /has no account/);
          }
        }
      }
      for (const account of [anna, ...accounts])
        for (const { id, message, address } of rooms) {
          const right = await rights.ofRoom(address, places.actorID(account), never);
          assert.equal(
            right,
            places.mayRead(account, id, message) ? 'everything' : 'nothing',
            `${account} in ${id}`,
          );
          seen += 1;
        }
      // a room without outsiders may be shown what every full member may open
      for (const { address } of rooms) {
        const { outsiders } = await rights.readers(address, never);
        const inside = await Promise.all(
          accounts.map(async (account) => {
            const actor = places.actorID(account);
            const reads = (await rights.ofRoom(address, actor, never)) === 'everything';
            return !reads || (await rights.ofSpace(address, actor, never));
          }),
        );
        if (!outsiders) assert.ok(inside.every(Boolean), address.chat);
      }
      await sandbox.close();
    }),
    { numRuns: 20 },
  );
  assert.ok(seen > 100);
});
