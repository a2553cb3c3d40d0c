// A message that is edited or deleted while a model makes something of the conversation: its former words are in none of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '#memory/types/scope.ts';
import { openService, type Service } from './http/service-kit.ts';
import { begin, originOf } from './support/kit.ts';
import type { RawCall } from './support/raw-provider.ts';
import { teamOf } from './teams/team-kit.ts';

const mine: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };
const scribe = {
  ...{ templateID: 'scribe', displayName: 'Scribe', role: 'worker' as const },
  ...{ systemPrompt: 'You are a scribe.', skills: [], budget: {} },
};
const was = 'My heron Nils lives near Oslo, in the reeds behind the old mill, and comes back every spring.';

/** A conversation in a chat whose first message is about the heron; the run that answered it. */
async function conversation(service: Service): Promise<{ id: string; runID: string }> {
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const exchange = async (text: string, nativeID: string): Promise<string> => {
    const parts = [{ type: 'text' as const, text, nativeID }];
    const runID = await begin(engine, id, { parts, origin: originOf({ nativeIDs: [nativeID] }) });
    const asked = await service.raw.next();
    asked.say('Noted.');
    asked.finish();
    await engine.finished(runID);
    await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: [`n${nativeID}`] });
    return runID;
  };
  const runID = await exchange(was, 'm1');
  const padding = 'The garden needs rain and the shed needs paint. '.repeat(5);
  await exchange(`My owl is called Uma. ${padding}`, 'm2');
  return { id, runID };
}

for (const now of [null, 'My heron lives near Bergen.']) {
  const what = now === null ? 'deleted' : 'edited';

  test(`a summary that is made while a message of it is ${what} has the words of the message as it is`, async (t) => {
    const service = await openService(t);
    const { engine } = service.kit;
    const { id, runID } = await conversation(service);
    const making = engine.summarizeSession({ sessionID: id });
    const first = await service.raw.next();
    assert.match(JSON.stringify(first.body.messages), /Oslo/);
    await engine.amend({ runID, nativeID: 'm1', was, now });
    first.say('A heron lives near Oslo.');
    first.finish();
    const second = await service.raw.next();
    assert.doesNotMatch(JSON.stringify(second.body.messages), /Oslo/);
    second.say('A heron.');
    second.finish();
    assert.equal((await making).text, 'A heron.');
  });

  test(`a fact whose message is ${what} while the conversation is distilled is not stored`, async (t) => {
    const service = await openService(t);
    const { engine, memory } = service.kit;
    const { id, runID } = await conversation(service);
    const distilling = engine.distillMemory({
      session_id: id,
      conversation: [],
      artifact_refs: [],
      importance_threshold: 0,
    });
    const asked = await service.raw.next();
    const prompt = JSON.stringify(asked.body.messages);
    assert.match(prompt, /Oslo/);
    await engine.amend({ runID, nativeID: 'm1', was, now });
    const fact = (text: string, line: number) => ({ text, category: 'fact', importance: 0.9, lines: [line] });
    const numberOf = (words: string): number =>
      Number(new RegExp(`(\\d+) [^\\n]*${words}`).exec(String(asked.body.messages.at(-1)?.content))?.[1]);
    asked.say(
      JSON.stringify([
        fact('The heron lives near Oslo.', numberOf('Oslo')),
        fact('The owl is Uma.', numberOf('Uma')),
      ]),
    );
    asked.finish();
    const body = await distilling;
    assert.equal(body.stored_count, 1, JSON.stringify(body));
    const facts = await memory.records({ scope: mine });
    assert.deepEqual(
      facts.map(({ text }) => text),
      ['The owl is Uma.'],
    );
  });

  test(`what is noted for a message that is ${what} while it is answered is not stored, and its calls are in no later prompt`, async (t) => {
    const service = await openService(t, { team: teamOf({}, { templates: [scribe] }) });
    const { kit, raw } = service;
    const { engine, memory } = kit;
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const said = (text: string, nativeID: string) => ({
      parts: [{ type: 'text' as const, text, nativeID }],
      origin: originOf({ nativeIDs: [nativeID] }),
    });
    const runID = await begin(engine, id, said(was, 'm1'));
    const first = await raw.next();
    first.callTool('spawn_agent', { template: 'scribe', task: `Note: ${was}` });
    const both = [await raw.next(), await raw.next()];
    const isOfAgent = ({ body }: RawCall): boolean => JSON.stringify(body).includes('You are a scribe');
    const [agent, asked] = [both.find(isOfAgent), both.find((call) => !isOfAgent(call))];
    await engine.amend({ runID, nativeID: 'm1', was, now });
    agent?.callTool('memory_store', { content: was });
    const done = await raw.next();
    assert.match(JSON.stringify(done.body.messages), /changed or deleted by its author/);
    done.say('Done.');
    done.finish();
    asked?.callTool('memory_create', { content: was, kind: 'fact' });
    (await raw.next()).callTool('todo_write', { todos: [{ id: '1', content: was, status: 'pending' }] });
    const last = await raw.next();
    last.say('Noted.');
    last.finish();
    await engine.finished(runID);
    await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
    assert.doesNotMatch(JSON.stringify(await memory.list({ scope: mine })), /Oslo/);
    assert.deepEqual(await engine.todos({ sessionID: id }), []);
    const later = await begin(engine, id, said('What do you know?', 'm2'));
    const { body, say, finish } = await raw.next();
    assert.doesNotMatch(JSON.stringify(body.messages), /Oslo/);
    say('Nothing.');
    finish();
    await engine.finished(later);
  });
}
