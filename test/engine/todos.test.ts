// The to-do list of a conversation: it goes with the words that it was made of, and an agent reads only what it may know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { openService, type Service } from './http/service-kit.ts';
import { converse, originOf } from './support/kit.ts';
import type { RawCall } from './support/raw-provider.ts';

interface Told {
  text: string;
  nativeID: string;
  agent?: string;
  origin?: Partial<PromptOrigin>;
}

/** A message whose answer calls one tool; the run, and what the model was given after the call. */
async function calling(
  { kit, raw }: Service,
  id: string,
  { text, nativeID, agent, origin }: Told,
  [tool, args]: [string, object],
): Promise<{ runID: string; after: RawCall }> {
  const said = converse(kit.engine, id, {
    parts: [{ type: 'text', text, nativeID }],
    origin: originOf({ nativeIDs: [nativeID], ...origin }),
    ...(agent === undefined ? {} : { agent }),
  });
  (await raw.next()).callTool(tool, args);
  const after = await raw.next();
  after.say('Done.');
  after.finish();
  return { runID: (await said).runID, after };
}

const listOf = (...contents: string[]): [string, object] => [
  'todo_write',
  { todos: contents.map((content, at) => ({ id: String(at + 1), content, status: 'pending' })) },
];
const contentsOf = async ({ kit }: Service, id: string): Promise<string[]> =>
  (await kit.engine.todos({ sessionID: id })).map(({ content }) => content);

for (const now of [null, 'I must see someone.'])
  test(`what the answer to a message noted as to be done goes once the message is ${now === null ? 'deleted' : 'edited'}, and what was there before stays`, async (t) => {
    const service = await openService(t);
    const { engine } = service.kit;
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const was = 'I must see my lawyer.';
    await calling(service, id, { text: 'Buy milk.', nativeID: 'm1' }, listOf('Buy milk'));
    const told = { text: was, nativeID: 'm2' };
    const { runID } = await calling(service, id, told, listOf('Buy milk', 'See the lawyer'));
    await engine.amend({ runID, nativeID: 'm2', was, now });
    assert.deepEqual(await contentsOf(service, id), ['Buy milk']);
    const asked = { text: 'What is to be done?', nativeID: 'm3' };
    const { after } = await calling(service, id, asked, ['todo_read', {}]);
    assert.doesNotMatch(JSON.stringify(after.body.messages), /lawyer/);
  });

test('when a person is forgotten, so is the list that was written for them in a room', async (t) => {
  const service = await openService(t);
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const room = { kind: 'channel', chat: 'discord:channel:1:g:c:-', audience: 'room:discord:1:c' } as const;
  const ann = { ...room, speaker: { person: 'per_2', name: 'ann' } };
  await calling(service, id, { text: 'Buy milk.', nativeID: 'm1', origin: ann }, listOf('Buy milk'));
  const told = { text: 'I must see my lawyer.', nativeID: 'm2', origin: room };
  await calling(service, id, told, listOf('Buy milk', 'See the lawyer'));
  const { remains } = await engine.forgetContent({ of: { persons: ['per_1'] }, apply: true });
  assert.deepEqual(remains, []);
  assert.deepEqual(await contentsOf(service, id), []);
});

test('an agent reads no list of an agent with another memory, and each finds what it wrote itself', async (t) => {
  const service = await openService(t, {
    agents: [
      { name: 'clerk', systemPrompt: 'You are a clerk.' },
      { name: 'counsel', systemPrompt: 'You are a counsellor.', partition: 'own' },
    ],
  });
  const { id } = await service.kit.engine.createSession({ sourceKind: 'channel' });
  const as = (agent: string, text: string, nativeID: string) => ({ agent, text, nativeID });
  await calling(service, id, as('clerk', 'Buy milk.', 'm1'), listOf('Buy milk'));
  await calling(service, id, as('counsel', 'I dream of stairs.', 'm2'), listOf('Talk about the stairs'));
  const read = async (agent: string, nativeID: string): Promise<string> => {
    const { after } = await calling(service, id, as(agent, 'What is to be done?', nativeID), [
      'todo_read',
      {},
    ]);
    return JSON.stringify(after.body.messages.at(-1));
  };
  const clerk = await read('clerk', 'm3');
  assert.match(clerk, /Buy milk/);
  assert.doesNotMatch(clerk, /stairs/);
  const counsel = await read('counsel', 'm4');
  assert.match(counsel, /Talk about the stairs/);
  assert.doesNotMatch(counsel, /milk/);
});
