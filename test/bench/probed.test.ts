// The questions to a process under measurement, over a channel that answers when it likes.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { type Probed, probing } from '../../bench/gateway/probed.ts';

const probed = (cpuMs: number): Probed => ({
  loop: { p50: 0, p99: 0, max: 0 },
  rssMB: 1,
  cpuMs,
  mainCpuMs: cpuMs,
});

test('two probes at once get an answer each, in the order in which they were sent', async () => {
  const orders: string[] = [];
  const channel = Object.assign(new EventEmitter(), { send: (order: string) => orders.push(order) > 0 });
  const probe = probing(channel);
  const both = Promise.all([probe('read'), probe('reset')]);
  assert.deepEqual(orders, ['read', 'reset']);
  channel.emit('message', probed(10));
  channel.emit('message', probed(20));
  assert.deepEqual(
    (await both).map(({ cpuMs }) => cpuMs),
    [10, 20],
  );
});
