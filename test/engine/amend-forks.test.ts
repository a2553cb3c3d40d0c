// A fork has copies of messages: what happens to a message happens to them too.
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
  test(`a message that is ${now === null ? 'deleted' : 'edited'} is so in forks too, and in no later prompt, title or list there`, async (t) => {
    const service = await openService(t);
    const { engine } = service.kit;
    const { raw } = service;
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const runID = await begin(engine, id, said(heron, 'm1'));
    (await raw.next()).callTool('todo_write', { todos: [{ content: 'Fly to Oslo', status: 'pending' }] });
    const answer = async (text: string) => {
      const call = await raw.next();
      call.say(text);
      call.finish();
      return JSON.stringify(call.body.messages);
    };
    await answer('Noted.');
    await engine.finished(runID);
    const other = await begin(engine, id, said('My owl lives near Rome.', 'm2'));
    await answer('Noted too.');
    await engine.finished(other);
    const fork = await engine.forkSession({ sessionID: id });
    const second = await engine.forkSession({ sessionID: fork.id });
    const asked = async (sessionID: string): Promise<string> => {
      const asking = await begin(engine, sessionID, { parts: [{ type: 'text', text: 'What did I say?' }] });
      const prompt = await answer('Much.');
      await engine.finished(asking);
      return prompt;
    };
    for (const each of [fork, second]) assert.match(await asked(each.id), /Oslo/);
    const summary = engine.summarizeSession({ sessionID: second.id });
    await answer('The heron lives near Oslo, the owl near Rome.');
    await summary;
    await engine.amend({ runID, nativeID: 'm1', was: heron, now });
    for (const each of [fork, second]) {
      assert.doesNotMatch(JSON.stringify(await engine.messages(each.id)), /Oslo/);
      assert.doesNotMatch((await engine.getSession({ sessionID: each.id })).title ?? '', /Oslo/);
      const prompt = await asked(each.id);
      assert.doesNotMatch(prompt, /Oslo/);
      assert.match(prompt, now === null ? /deleted by its author/ : /Bergen/);
      assert.match(prompt, /Rome/);
    }
  });
