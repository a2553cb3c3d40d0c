// What a connection says of itself: its state, and what is in the way of it, or of a part of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnection } from '#adapters/gateway/delivery/connection.ts';
import { systemClock } from '#base/clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { createScriptedChannel } from '../scripted-channel.ts';

test('what is in the way of a part of a connection is reported while it is ready, and no longer', () => {
  const connection = createConnection({
    channel: createScriptedChannel(),
    clock: systemClock,
    log: quietLog().log,
  });
  const told = () => {
    const { state, problem } = connection.status();
    return [state, problem];
  };
  connection.report('reconnecting', 'The connection was closed.');
  assert.deepEqual(told(), ['reconnecting', 'The connection was closed.']);
  connection.report('ready', 'Shard 1 of 2 is away.');
  assert.deepEqual(told(), ['ready', 'Shard 1 of 2 is away.']);
  connection.report('ready');
  assert.deepEqual(told(), ['ready', undefined]);
});
