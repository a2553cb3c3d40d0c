// What a connection says of itself: its state, and what stands in the way of it, or of a part of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticeOfEnd } from '#adapters/gateway/admission/notify-owners.ts';
import { createConnection } from '#adapters/gateway/pace/connection.ts';
import { en } from '#adapters/gateway/phrases/en.ts';
import { systemClock } from '#base/clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { createScriptedChannel } from '../scripted-channel.ts';

test('what stands in the way of a part of a connection is reported while it is ready, and no longer', () => {
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

test('owners read once that a connection has ended, and again when it ends after it was connected', () => {
  const { log } = quietLog();
  const connection = createConnection({ channel: createScriptedChannel(), clock: systemClock, log });
  const read: string[] = [];
  noticeOfEnd(connection, {
    async tellOwners(wording, last) {
      read.push(`${last}: ${wording(en)}`);
      return 1;
    },
    log,
  });
  connection.report('failed', 'The token was refused.');
  connection.report('failed', 'The token was refused.');
  connection.report('reconnecting');
  connection.report('failed', 'The token was refused.');
  assert.equal(read.length, 1);
  assert.match(read[0] ?? '', /^discord: .*Discord.*The token was refused\./s);
  connection.report('ready');
  connection.report('failed', 'The token was refused again.');
  assert.equal(read.length, 2);
});

test('anyone who waited for a connection is left alone once it is ready', async () => {
  const { log } = quietLog();
  const connection = createConnection({ channel: createScriptedChannel(), clock: systemClock, log });
  let ends = 0;
  const signal = Object.assign(new AbortController().signal, {
    removeEventListener: () => {
      ends += 1;
    },
  });
  const ready = connection.ready(signal);
  for (const state of ['connecting', 'ready', 'reconnecting', 'ready'] as const) connection.report(state);
  await ready;
  assert.equal(ends, 1);
});
