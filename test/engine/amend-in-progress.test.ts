// A message that is edited or deleted while a model makes something of the conversation: its former words are in none of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '#memory/types/scope.ts';
import { openService, type Service } from './http/service-kit.ts';
import { begin, originOf } from './support/kit.ts';

const mine: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };
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
    const making = engine.summarizeSession(id);
    const first = await service.raw.next();
    assert.match(JSON.stringify(first.body.messages), /Oslo/);
    await engine.amend(runID, { nativeID: 'm1', was, now });
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
    await engine.amend(runID, { nativeID: 'm1', was, now });
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
}
