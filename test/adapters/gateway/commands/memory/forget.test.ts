// What is forgotten of a person is also in no draft of a handoff that waits to be saved.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { dm } from '../../scripted-channel.ts';
import { createScriptedEngine } from '../../scripted-engine.ts';
import { as, type CommandChat, commandChat } from '../kit.ts';

/** A chat whose person has a draft of a handoff; `closed` is what was saved of one. */
async function drafted(t: TestContext): Promise<{ chat: CommandChat; closed: unknown[] }> {
  const engine = createScriptedEngine(() => 'ok');
  const closed: unknown[] = [];
  const elements = { title: '', decisions: [], threads: [], steps: [], context: [], settled: [] };
  engine.forReader = (async (method: string, { input }: { input: unknown }) => {
    if (method === 'closeSession') closed.push(input);
    if (method === 'proposeHandoff') return { by: 'model', elements: { ...elements, summary: 'We sell.' } };
    return method === 'closeSession' ? { lineageID: 'lin_123456' } : { items: [] };
  }) as typeof engine.forReader;
  const chat = await commandChat(t, { engine });
  await chat.say('we sell');
  await chat.say('/handoff');
  return { chat, closed };
}

test('a draft of a handoff goes with the words of its person, and not with those of another', async (t) => {
  const { chat, closed } = await drafted(t);
  await chat.say('something', as('u2'));
  await chat.say('/forget me yes', as('u2'));
  assert.match(await chat.say('/handoff next: more'), /We sell/);
  await chat.say('/forget me yes');
  assert.match(await chat.say('/handoff save'), /no handoff to decide on/);
  assert.deepEqual(closed, []);
});

test('a draft of a handoff goes with the words of its chat', async (t) => {
  const { chat, closed } = await drafted(t);
  await chat.gateway.ledgerContent.forget({ of: { persons: [], chats: [formatAddress(dm)] }, apply: true });
  assert.match(await chat.say('/handoff save'), /no handoff to decide on/);
  assert.deepEqual(closed, []);
});
