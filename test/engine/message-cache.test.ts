// What a run reads of its conversation: each finished message once, and never one that was set aside since.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMessageCache } from '#engine/sessions/message-cache.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { ask, openKit } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';
import { call, message, text } from './support/stored.ts';

/** A reader of these messages, which notes what it was asked for. */
function readerOf(stored: readonly StoredMessage[]) {
  const asked: string[] = [];
  const of = createMessageCache((ids) => {
    asked.push(...ids);
    return stored.filter(({ id }) => ids.includes(id)).toReversed();
  });
  return { of, asked };
}

test('messages come in the order of their ids, each read once, and an id of none is left out', () => {
  const stored = [0, 1, 2].map((at) => message(at === 1 ? 'assistant' : 'user', [text(`no. ${at}`)], at));
  const ids = stored.map(({ id }) => id);
  const { of, asked } = readerOf(stored);
  assert.deepEqual(of(ids.slice(0, 2)), stored.slice(0, 2));
  assert.deepEqual(of([...ids, 'msg_of_none']), stored);
  assert.deepEqual(asked, [...ids, 'msg_of_none']);
  assert.deepEqual(of(ids.toReversed()), stored.toReversed());
  assert.equal(asked.length, 4);
});

test('what is too large to be kept is read each time, whatever it is made of', () => {
  const long = 'x'.repeat(1_600_000);
  const file = {
    id: 'prt_file',
    type: 'file' as const,
    mime: 'image/png',
    url: `data:image/png;base64,${long}`,
  };
  const stored = [text(long), file, { ...call('prt_call'), args: { query: long } } as Part].map((part, at) =>
    message('user', [part], at),
  );
  for (const { id } of stored) {
    const { of, asked } = readerOf(stored);
    of([id]);
    of([id]);
    assert.deepEqual(asked, [id, id]);
  }
});

test('a message that a revert sets aside is not shown to the next run, and one that comes back is', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const shownTo = async (said: string): Promise<string> => {
    const asked = ask(engine, id, said);
    const seen = await raw.next();
    seen.say(`answer to ${said}`);
    seen.finish();
    await asked;
    return JSON.stringify(seen.body.messages.slice(1, -1));
  };
  await shownTo('apples');
  await shownTo('pears');
  assert.match(await shownTo('plums'), /apples.*pears/);
  const pears = (await engine.messages(id)).find(({ parts }) => JSON.stringify(parts).includes('"pears"'));
  await engine.revertSession({ sessionID: id, messageID: pears?.info.id ?? '' });
  const reverted = await shownTo('cherries');
  assert.match(reverted, /apples/);
  assert.doesNotMatch(reverted, /pears|plums/);
  await engine.unrevertSession({ sessionID: id });
  const back = await shownTo('figs');
  assert.match(back, /apples.*pears.*plums/);
  assert.doesNotMatch(back, /cherries/);
});
