// Who may approve tool calls: those that the config names, and anyone who sits at the machine.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createApprovers } from '#adapters/gateway/admission/approvers.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { openedLedger } from '../ledger/open-ledger.ts';

function stage(t: TestContext, names: readonly string[] | undefined) {
  const { persons, identities, inbox } = openedLedger(t);
  persons.configure(
    {
      Ann: { role: 'owner', accounts: ['discord:u1'] },
      Ben: { role: 'guest', accounts: ['discord:u2'] },
    },
    1,
  );
  const approvers = createApprovers({
    ledger: { persons, inbox },
    accessOf: ({ platform }) =>
      platform === 'slack' ? undefined : openAccess(platform === 'terminal' ? 'owner' : 'guest'),
    isConnected: () => true,
    names: () => names,
    asked: () => undefined,
  });
  const may = (userID: string, platform: 'discord' | 'slack' | 'terminal' = 'discord'): boolean =>
    approvers.isApprover(identities.meet(platform, { id: userID, name: userID }), {
      platform,
      account: 'bot',
    });
  return { may };
}

test('if the config names nobody, the owners approve, and nobody else', (t) => {
  const { may } = stage(t, undefined);
  assert.deepEqual([may('u1'), may('u2'), may('u3'), may('u3', 'slack')], [true, false, false, false]);
  assert.equal(may('local', 'terminal'), true);
});

test('only those that the config names approve, also where they are no owners, and anyone who sits at the machine', (t) => {
  const { may } = stage(t, ['Ben']);
  assert.deepEqual([may('u1'), may('u2'), may('u3'), may('u3', 'slack')], [false, true, false, false]);
  assert.equal(may('local', 'terminal'), true);
});

test('with an empty list nobody in a chat approves', (t) => {
  const { may } = stage(t, []);
  assert.deepEqual([may('u1'), may('u2')], [false, false]);
});
