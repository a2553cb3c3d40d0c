// The writer of an answer's parts: what is stored when, what is live, and what is left of calls that did not end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartWriter } from '#engine/runs/part-writer.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import { createConversationRows } from '#engine/sessions/sessions.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';
import { openRequests } from './support/requests-kit.ts';

/** A writer of the message `msg_a` with that limit. */
function openWriter(t: Parameters<typeof openRequests>[0], limit: number) {
  const { database, events, newId, clock } = openRequests(t);
  const conversation = createConversationRows(database);
  conversation.sessions.insert({ id: 'ses_1', createdAtMs: 1, updatedAtMs: 1 });
  conversation.messages.insert({ id: 'msg_a', sessionID: 'ses_1', role: 'assistant', createdAtMs: 1 });
  const run = { runID: 'run_1', sessionID: 'ses_1', assistantMessageID: 'msg_a' } as StoredRun; // what a writer reads of it
  const writer = createPartWriter({ conversation, events, newId, clock } as never, run, { limit });
  return { database, conversation, writer };
}

test('the parts of an answer are stored when they end, in the order in which they began, up to the limit', (t) => {
  const { database, conversation, writer } = openWriter(t, 20);
  const stored = () =>
    conversation.parts
      .ofMessage('msg_a')
      .map((part) => [part.type, part.type === 'tool' ? part.state : 'text' in part ? part.text : '']);
  writer.close();
  assert.deepEqual([stored(), writer.text(), writer.unfinished()], [[], '', undefined]);
  writer.add('reasoning', 'why');
  writer.add('text', 'one ');
  writer.add('text', 'two');
  assert.deepEqual([stored(), writer.text()], [[['reasoning', 'why']], 'one two']);
  const live = writer.unfinished()?.properties as { delta?: string; offset?: number } | undefined;
  assert.deepEqual([live?.delta, live?.offset], ['one two', 0]);
  const call = writer.open('shell', { long: 'x'.repeat(30_000) });
  assert.deepEqual(stored(), [
    ['reasoning', 'why'],
    ['text', 'one two'],
    ['tool', 'pending'],
  ]);
  const told =
    database
      .prepare<[], string>(
        "SELECT properties FROM events WHERE type = 'message.part.updated' ORDER BY seq DESC LIMIT 1",
      )
      .pluck()
      .get() ?? '';
  assert.ok(told.length < 5_000 && told.includes('characters, the first are shown'), told.slice(0, 200));
  writer.move({ ...call, state: 'running' });
  writer.add('text', 'as');
  writer.file({ id: 'art_1', mediaType: 'text/csv', name: 'a.csv' } as Artifact);
  assert.deepEqual(stored().slice(3), [
    ['text', 'as'],
    ['file', ''],
  ]);
  const done = writer.open('shell', {});
  writer.move({ ...done, state: 'completed', result: 'ok' } as never); // its end
  assert.equal(writer.unfinished(), undefined);
  assert.throws(() => writer.add('text', 'x'.repeat(9)), { code: 'OUTPUT_TOO_LONG' });
  assert.equal(writer.text(), `one two\n\nas\n\n${'x'.repeat(8)}`);
  writer.abandon();
  assert.deepEqual(stored().slice(2), [
    ['tool', 'failed'],
    ['text', 'as'],
    ['file', ''],
    ['tool', 'completed'],
    ['text', 'x'.repeat(8)],
  ]);
  assert.throws(() => writer.add('text', 'y'), { code: 'OUTPUT_TOO_LONG' });
  const before = stored();
  writer.abandon();
  assert.deepEqual(stored(), before);
});

test('a part that was saved while it was written is there once, whatever it turns out to be', (t) => {
  const { conversation, writer } = openWriter(t, 99);
  const stored = () =>
    conversation.parts
      .ofMessage('msg_a')
      .map((part) => [part.type, part.type === 'text' || part.type === 'reasoning' ? part.text : '']);
  writer.save();
  writer.add('text', 'let me ');
  writer.save();
  writer.save();
  assert.deepEqual(stored(), [], 'it goes on');
  assert.deepEqual(
    conversation.parts.unfinished('msg_a').map(({ text }) => text),
    ['let me '],
  );
  writer.add('text', 'see');
  writer.rethink();
  writer.save();
  writer.add('reasoning', '.');
  writer.add('text', 'Four');
  writer.save();
  writer.add('text', '.');
  writer.close();
  assert.deepEqual(stored(), [
    ['reasoning', 'let me see.'],
    ['text', 'Four.'],
  ]);
  assert.deepEqual(conversation.parts.unfinished('msg_a'), []);
});
