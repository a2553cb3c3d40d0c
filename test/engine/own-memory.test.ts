// What people wrote to an agent with its own memory, where its conversation is read again: in a fork, and in a handoff.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { EngineOptions } from '#engine/engine.ts';
import { openService, type Service } from './http/service-kit.ts';
import { begin, converse, originOf, textBody } from './support/kit.ts';
import type { RawCall } from './support/raw-provider.ts';

const { nativeIDs: _, at: __, ...reader } = originOf();

/** A chat in which one message is for the counsellor, and one for the clerk. */
async function conversation(
  t: TestContext,
  more: Partial<EngineOptions> = {},
): Promise<{ service: Service; id: string }> {
  const service = await openService(t, {
    ...more,
    agents: [
      { name: 'clerk', systemPrompt: 'You are a clerk.' },
      { name: 'counsel', systemPrompt: 'You are a counsellor.', partition: 'own' },
    ],
  });
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const say = async (text: string, agent: string): Promise<void> => {
    const said = converse(engine, id, { ...textBody(text, originOf()), agent });
    await answered(service);
    await said;
  };
  await say('I dream of a red staircase.', 'counsel');
  await say('The invoice is in the green folder.', 'clerk');
  return { service, id };
}

async function answered({ raw }: Service, text = 'Noted.'): Promise<RawCall> {
  const call = await raw.next();
  call.say(text);
  call.finish();
  return call;
}

test('in a fork, also of a fork, an agent is given no message to an agent with another memory', async (t) => {
  const { service, id } = await conversation(t);
  const { engine } = service.kit;
  const fork = await engine.forkSession({ sessionID: id });
  const second = await engine.forkSession({ sessionID: fork.id });
  const asked = async (sessionID: string, agent: string): Promise<string> => {
    const runID = await begin(engine, sessionID, { ...textBody('What did I say?'), agent });
    const { body } = await answered(service);
    await engine.finished(runID);
    return JSON.stringify(body.messages);
  };
  for (const sessionID of [fork.id, second.id]) {
    const clerk = await asked(sessionID, 'clerk');
    assert.match(clerk, /green folder/);
    assert.doesNotMatch(clerk, /red staircase/);
    const counsel = await asked(sessionID, 'counsel');
    assert.match(counsel, /red staircase/);
    assert.doesNotMatch(counsel, /green folder/);
  }
});

test('a handoff, which all agents find, is made of no message to an agent with its own memory', async (t) => {
  const { service, id } = await conversation(t);
  const proposing = service.kit.engine.forReader('proposeHandoff', { reader, input: { sessionID: id } });
  const prompt = JSON.stringify((await answered(service, '{}')).body.messages);
  await proposing;
  assert.match(prompt, /green folder/);
  assert.doesNotMatch(prompt, /red staircase/);
});

test('an agent that may not read the summary of a conversation is shown its own messages from before it, or told how many there are', async (t) => {
  for (const [historyMessages, shown] of [
    [20, true],
    [2, false],
  ] as const) {
    const { service, id } = await conversation(t, { limits: { historyMessages } });
    const { engine } = service.kit;
    const summary = engine.summarizeSession({ sessionID: id });
    await answered(service, 'A dream, and an invoice.');
    await summary;
    const say = async (text: string): Promise<RawCall['body']> => {
      const runID = await begin(engine, id, { ...textBody(text, originOf()), agent: 'counsel' });
      const { body } = await answered(service);
      await engine.finished(runID);
      return body;
    };
    if (!shown) await say('And of a blue door.');
    const [system, ...messages] = (await say('What did I dream of?')).messages;
    const prompt = JSON.stringify(messages);
    assert.doesNotMatch(prompt, /green folder|an invoice/);
    assert.equal(prompt.includes('red staircase'), shown);
    assert.equal(/4 older messages of this conversation are not shown/.test(JSON.stringify(system)), !shown);
  }
});
