// A fact that a model distils is made of every line that has its words, whichever line the model names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from './http/service-kit.ts';
import { begin, originOf } from './support/kit.ts';

const padding = 'The garden needs rain and the shed needs paint. '.repeat(5);

test('a fact with words of a message that the model did not name goes with that message', async (t) => {
  const { kit, raw } = await openService(t);
  const { engine, memory } = kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const runIDs: string[] = [];
  const texts = ['My heron lives near Oslo.', `I feed my heron on Sundays. ${padding}`];
  const answer = async (text: string) => {
    const call = await raw.next();
    call.say(text);
    call.finish();
  };
  for (const [at, text] of texts.entries()) {
    const nativeID = `m${at}`;
    const origin = originOf({ nativeIDs: [nativeID] });
    const runID = await begin(engine, id, { parts: [{ type: 'text', text, nativeID }], origin });
    await answer('Noted.');
    await engine.finished(runID);
    await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
    runIDs.push(runID);
  }
  const distilled = engine.distillMemory({
    session_id: id,
    conversation: [],
    artifact_refs: [],
    importance_threshold: 0.5,
  });
  const fact = { category: 'fact', importance: 0.9, lines: [2] };
  await answer(
    JSON.stringify([
      { ...fact, text: 'The heron near Oslo is fed on Sundays.' },
      { ...fact, text: 'The shed needs paint.' },
    ]),
  );
  assert.equal((await distilled).stored_count, 2);
  await engine.amend({ runID: runIDs[0] ?? '', nativeID: 'm0', was: texts[0] ?? '', now: null });
  const scope = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
  assert.deepEqual(
    (await memory.records({ scope })).map(({ text }) => text),
    ['The shed needs paint.'],
  );
});
