// How long a takeover took, as the chaos of two machines counts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailovers } from '../../bench/chaos/failovers.ts';
import { takeoverFaults } from '../../bench/chaos/machine-verdict.ts';

test('a takeover takes as long as nobody led a platform while somebody could have; a first start is none', () => {
  let now = 0;
  const failovers = createFailovers(() => now);
  failovers.able(['one', 'two']);
  now = 5_000;
  for (const platform of ['discord', 'telegram', 'slack'] as const) failovers.leads('one', platform);
  assert.equal(failovers.leader(), 'one');
  assert.equal(failovers.leadsAll('one'), true);
  assert.deepEqual(failovers.taken, []);
  failovers.lost('one');
  failovers.able(['two']);
  now += 3_000;
  failovers.leads('two', 'slack');
  assert.deepEqual(failovers.taken, [3_000]);
  // the database is away: no time counts before it is back
  failovers.able([]);
  now += 60_000;
  failovers.able(['two']);
  now += 1_000;
  failovers.leads('two', 'discord');
  assert.deepEqual(failovers.taken, [3_000, 1_000]);
  failovers.lost('two', 'slack');
  failovers.end();
  now += 9_000;
  failovers.leads('one', 'slack');
  assert.deepEqual(failovers.taken, [3_000, 1_000]);
  assert.equal(failovers.leader(), 'two');
});

test('a run in which nobody took over, or 95 of 100 took over too late, is not passed', () => {
  assert.deepEqual(takeoverFaults([]), ['no instance ever took over']);
  assert.deepEqual(takeoverFaults([14_999, 1_000]), []);
  assert.match(takeoverFaults([15_000, 1_000]).join(), /p95 is 15000 ms/);
  const many = Array.from({ length: 99 }, () => 1_000);
  assert.deepEqual(takeoverFaults([...many, 60_000]), []);
});
