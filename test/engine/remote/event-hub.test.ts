// One stream for many listeners: each hears its own, from the beginning of what is being written, and no piece with a hole before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { createEventHub } from '#engine/remote/event-hub.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';

const envelope = (sessionID: string, runID: string) => ({
  event_id: 'evt',
  seq: null,
  schema_version: 1 as const,
  occurred_at_ms: 0,
  session_id: sessionID,
  run_id: runID,
});

function piece(runID: string, delta: string, offset: number): EngineEvent {
  const sessionID = `ses_${runID}`;
  const part = { id: `prt_${runID}`, sessionID, messageID: 'msg', type: 'text' as const };
  return {
    type: 'message.part.updated',
    properties: { sessionID, runID, part, delta, offset },
    envelope: envelope(sessionID, runID),
  };
}

function finished(runID: string): EngineEvent {
  const sessionID = `ses_${runID}`;
  const properties = { sessionID, runID, finishedAtMs: 0, status: 'completed' as const };
  return { type: 'session.run.finished', properties, envelope: envelope(sessionID, runID) };
}

/** The pieces that a listener of a session is given until it has received `count` of them. */
async function received(hub: ReturnType<typeof createEventHub>, sessionID: string, count: number) {
  const enough = new AbortController();
  const pieces: [string, number][] = [];
  for await (const event of hub.listen({ sessionID }, enough.signal)) {
    if (event.type === 'message.part.updated')
      pieces.push([event.properties.delta ?? '', event.properties.offset ?? -1]);
    if (pieces.length === count) enough.abort();
  }
  return pieces;
}

test('a late listener is given what is being written as one piece, only of its session, and nothing of what has ended', async () => {
  const hub = createEventHub();
  hub.notify(piece('a', 'one ', 0));
  hub.notify(piece('b', 'other', 0));
  hub.notify(piece('a', 'two ', 4));
  hub.notify(piece('a', 'after a hole', 20));
  const late = received(hub, 'ses_a', 2);
  hub.notify(piece('a', 'three', 8));
  assert.deepEqual(await late, [
    ['one two ', 0],
    ['three', 8],
  ]);
  hub.notify(finished('a'));
  const later = received(hub, 'ses_a', 1);
  hub.notify(piece('a', 'new', 0));
  assert.deepEqual(await later, [['new', 0]]);
  hub.begin();
  const second = received(hub, 'ses_b', 1);
  hub.notify(piece('b', 'other words', 0));
  assert.deepEqual(await second, [['other words', 0]]);
});

test('a listener that reads nothing is cut off with a message, and holds nobody up', async () => {
  const hub = createEventHub();
  const slow = hub.listen({}, new AbortController().signal);
  const reading = slow[Symbol.asyncIterator]();
  for (let at = 0; at < 10_001; at += 1) hub.notify(piece('a', 'x', at));
  let count = 0;
  await assert.rejects(
    async () => {
      for (; (await reading.next()).done !== true; count += 1);
    },
    (error) => codeOf(error) === 'subscriber_overflow',
  );
  assert.equal(count, 10_000);
});
