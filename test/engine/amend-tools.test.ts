// What a model wrote into its calls of tools goes with the message that they were about.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from './http/service-kit.ts';
import { begin, originOf } from './support/kit.ts';

const heron = 'My heron lives near Oslo.';
const said = (text: string, nativeID: string) => ({
  parts: [{ type: 'text' as const, text, nativeID }],
  origin: originOf({ nativeIDs: [nativeID] }),
});

for (const now of [null, 'My heron lives near Bergen.'])
  test(`a message that is ${now === null ? 'deleted' : 'edited'} is in no later prompt by the calls of tools of its answer`, async (t) => {
    const service = await openService(t);
    const { engine, memory } = service.kit;
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const runID = await begin(engine, id, said(heron, 'm1'));
    const asked = await service.raw.next();
    asked.callTool('memory_create', { content: heron, kind: 'fact', tags: ['birds'] });
    const next = await service.raw.next();
    next.say('Noted.');
    next.finish();
    await engine.finished(runID);
    await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
    // a prompt in between has read the conversation as it was
    const between = await begin(engine, id, said('Is it far?', 'm2'));
    const before = await service.raw.next();
    assert.match(JSON.stringify(before.body.messages), /Oslo/);
    before.say('Yes.');
    before.finish();
    await engine.finished(between);
    await engine.amend({ runID, nativeID: 'm1', was: heron, now });
    const scope = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
    assert.deepEqual(await memory.records({ scope, tag: 'birds' }), [], 'the record went');
    const later = await begin(engine, id, said('What do you know?', 'm3'));
    const { body, say, finish } = await service.raw.next();
    assert.doesNotMatch(JSON.stringify(body.messages), /Oslo/);
    assert.match(JSON.stringify(body.messages), /Noted\./);
    say('Nothing.');
    finish();
    await engine.finished(later);
  });
