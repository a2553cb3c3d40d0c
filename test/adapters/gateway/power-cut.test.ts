// What waits for the disk before it is acknowledged or sent, on a disk that loses all that nobody waited for.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGateway } from '#adapters/gateway/gateway.ts';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { createUploadStore } from '#adapters/uploads/store.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { forgetfulDisk } from '../../support/disk.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { createScriptedChannel, dm, message, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

/** A gateway on a disk that can be cut; undefined where none can be mounted. */
function openGateway(t: TestContext) {
  const disk = forgetfulDisk(t);
  if (disk === undefined) return undefined;
  const clock = createManualClock();
  const [channel, engine] = [createScriptedChannel(), createScriptedEngine()];
  const gateway = createGateway({
    path: join(disk.path, 'gateway.sqlite'),
    engine,
    channels: [{ channel, talk: () => ({ sessions: 'room', access: openAccess('owner') }) }],
    people: {},
    settings: () => ({ agent: 'Parley', debounceMs: 100 }),
    clock,
    newId: createIds(clock),
    log: quietLog().log,
  });
  gateway.start();
  t.after(async () => {
    const closed = gateway.close(0);
    await clock.advance(1);
    await closed;
  });
  const seen = async <T>(what: string, look: () => T | undefined): Promise<T> => {
    for (let turns = 0; turns < 2_000; turns += 1) {
      const value = look();
      if (value !== undefined) return value;
      await clock.advance(150);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error(`${what} did not come`);
  };
  return { disk, channel, engine, clock, seen };
}

/** The ledger that a power cut left in the folder. */
function ledgerIn(t: TestContext, folder: string) {
  const ledger = openLedger({
    path: join(folder, 'gateway.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    log: quietLog().log,
    problems: createActiveProblems(systemClock),
  });
  t.after(() => ledger.close());
  return ledger;
}

test('a message that is acknowledged is there after a power cut, with its cursor', async (t) => {
  const stage = openGateway(t);
  if (stage === undefined) return;
  const { disk, channel, seen } = stage;
  await seen('the channel', () => channel.sink);
  for (const id of ['1', '2', '3']) {
    await channel.sink.accept(message(id, `words of ${id}`), { name: 'updates', value: id });
    const left = ledgerIn(t, disk.cut());
    assert.equal(left.inbox.find(dm, id)?.event.text, `words of ${id}`);
    assert.equal(left.cursors.get('discord', 'updates'), id);
  }
});

test('a part of an answer that is being sent is known after a power cut as one that may stand', async (t) => {
  const stage = openGateway(t);
  if (stage === undefined) return;
  const { disk, channel, engine, seen } = stage;
  await seen('the channel', () => channel.sink);
  const left: string[] = [];
  const { send } = channel;
  channel.send = (address, part, options) => {
    left.push(disk.cut()); // the platform has the call, and the power goes
    return send(address, part, options);
  };
  await channel.sink.accept(message('1', 'hello'));
  await seen('a run', () => engine.runs[0]);
  engine.complete('run_1', 'The answer.');
  await seen('the answer', () => channel.messages[0]);
  assert.equal(left.length, 1);
  const ledger = ledgerIn(t, left[0] ?? '');
  const [open] = ledger.outbox.open();
  const parts = ledger.outbox.get(open?.id ?? '')?.parts ?? [];
  assert.deepEqual(
    parts.map(({ state, part }) => [state, part.text]),
    [['sending', 'The answer.']],
  );
});

test('a preview that is being posted is known after a power cut as one that may stand', async (t) => {
  const stage = openGateway(t);
  if (stage === undefined) return;
  const { disk, channel, engine, seen } = stage;
  await seen('the channel', () => channel.sink);
  const left: { folder: string; key: string }[] = [];
  channel.send = async (_address, _part, { key }) => {
    left.push({ folder: disk.cut(), key });
    throw new ScriptedFailure({ kind: 'transient' }, 'effective');
  };
  await channel.sink.accept(message('1', 'hello'));
  await seen('a run', () => engine.runs[0]);
  engine.say('run_1', 'half an ans');
  await seen('the preview', () => left[0]);
  const ledger = ledgerIn(t, left[0]?.folder ?? '');
  const [turn] = ledger.turns.unanswered();
  assert.deepEqual(ledger.turns.previews(turn?.id ?? ''), [
    { ordinal: 0, key: left[0]?.key, nativeID: undefined },
  ]);
});

test('a file that was taken in is whole after a power cut, under the name that was given', async (t) => {
  const disk = forgetfulDisk(t);
  if (disk === undefined) return;
  const folder = join(disk.path, 'channel_uploads');
  const store = createUploadStore({ folder, limitBytes: 1_000_000 });
  const bytes = Buffer.alloc(200_000, 'a file of some length. ');
  for (const name of ['first.txt', 'second.txt']) {
    const content = Buffer.concat([bytes, Buffer.from(name)]);
    const { path } = await store.save(
      new Blob([content]).stream(),
      { channel: 'discord', place: 'C1', at: 0, name },
      new AbortController().signal,
    );
    const left = join(disk.cut(), 'channel_uploads', path);
    assert.ok(existsSync(left), `${name} is not there`);
    assert.deepEqual(readFileSync(left), content);
  }
});
