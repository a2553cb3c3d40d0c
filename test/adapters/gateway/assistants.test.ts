// Which assistant answers whom where: bindings by how specific they are, who may choose another, and what each conversation stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AssistantBinding,
  type AssistantRules,
  bindingAt,
} from '#adapters/gateway/admission/assistants.ts';
import { assistantIn, baseOf, roomLaneOf, withAssistant } from '#adapters/gateway/ledger/lane-name.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { as, commandChat } from './commands/kit.ts';
import { dm, room } from './scripted-channel.ts';
import type { ScriptedEngine } from './scripted-engine.ts';

const people = {
  boss: { role: 'owner' as const, accounts: ['discord:u9'] },
  ann: { role: 'member' as const, accounts: ['discord:u8'] },
};
const all: AssistantRules['all'] = [
  { name: 'Parley', choosableBy: 'owner' },
  { name: 'Poet', choosableBy: 'owner' },
  { name: 'Coach @#:', choosableBy: 'member' },
  { name: 'Counsel', choosableBy: 'nobody' },
];
const open = { access: openAccess('guest'), people };
const inRoom = (id: string) => ({ ...as(id), address: room, addressed: 'mention' as const });
const boss = as('u9');

/** Each prompt's session and assistant, as they come. */
function sessionsOf(engine: ScriptedEngine): { sessionID: string; agent: string | undefined }[] {
  const prompted: ReturnType<typeof sessionsOf> = [];
  const { prompt } = engine;
  engine.prompt = (sessionID, body, how) => {
    prompted.push({ sessionID, agent: body.agent });
    return prompt(sessionID, body, how);
  };
  return prompted;
}

test('the name of a lane gives its parts back, whatever an assistant is called', () => {
  for (const lane of ['discord:channel:1:2:3:4', 'discord:channel:1:2:3:-#per_1']) {
    const named = withAssistant(lane, 'Coach @#:');
    assert.deepEqual([baseOf(named), assistantIn(named)], [lane, 'Coach @#:']);
    assert.equal(withAssistant(named, 'Poet'), `${lane}@Poet`);
    assert.equal(withAssistant(named, undefined), lane);
    assert.equal(baseOf(roomLaneOf(named)), roomLaneOf(lane));
  }
});

test('of several bindings the most specific holds: room, person, space, account, platform, and each further key counts', () => {
  const address: Address = { platform: 'discord', kind: 'channel', account: '1', space: 's', chat: 'r' };
  const bindings: AssistantBinding[] = [
    { assistant: 'platform', platform: 'discord' },
    { assistant: 'account', platform: 'discord', account: 'second' },
    { assistant: 'space', platform: 'discord', space: 's' },
    { assistant: 'person', person: 'ann' },
    { assistant: 'room', platform: 'discord', room: 'r' },
    { assistant: 'room and person', platform: 'discord', room: 'r', person: 'ann' },
  ];
  const answers = (at: { address?: Address; account?: string; person?: string }) =>
    bindingAt(bindings, {
      address: at.address ?? address,
      account: at.account ?? 'main',
      person: () => at.person,
    })?.assistant;
  const elsewhere = { ...address, chat: 'x' };
  const direct: Address = { platform: 'discord', kind: 'dm', account: '1', chat: 'd' };
  assert.equal(answers({ person: 'ann' }), 'room and person');
  assert.equal(answers({ person: 'bob' }), 'room');
  assert.equal(answers({ address: elsewhere, person: 'ann' }), 'person');
  assert.equal(answers({ address: elsewhere, account: 'second' }), 'space');
  assert.equal(answers({ address: direct, account: 'second' }), 'account');
  assert.equal(answers({ address: direct }), 'platform');
  assert.equal(answers({ address: { ...direct, platform: 'slack' } }), undefined);
});

test('nobody chooses what they may not: guests and members in a room, a guest in private, anyone what is only bound', async (t) => {
  const chat = await commandChat(t, { ...open, assistants: { all, bindings: [] } });
  for (const who of [inRoom('u1'), inRoom('u8')])
    for (const name of ['Poet', 'coach @#:', 'Parley', 'default', 'nobody'])
      assert.match(
        await chat.say(`/assistant ${name}`, who),
        /Only owners can choose another assistant in a room/,
      );
  assert.match(
    await chat.say('/assistant coach @#:'),
    /Coach.* cannot be chosen by you, since you are a guest/,
  );
  assert.match(await chat.say('/assistant Counsel', boss), /Counsel cannot be chosen here/);
  assert.equal(await chat.say('/assistant'), 'Parley answers here.', 'a guest is shown no others');
  for (const who of [inRoom('u1'), {}]) await chat.say('hello', who);
  assert.deepEqual(
    chat.engine.runs.map(({ body }) => body.agent),
    [undefined, undefined],
  );
});

test('a member who may choose one in private goes back to what is bound there, and to nothing else', async (t) => {
  const bindings = [{ assistant: 'Counsel', person: 'ann' }];
  const chat = await commandChat(t, { ...open, assistants: { all, bindings } });
  const ann = as('u8');
  assert.match(await chat.say('/assistant', ann), /^Counsel answers here/);
  assert.match(await chat.say('/assistant Parley', ann), /Parley cannot be chosen by you/);
  assert.match(await chat.say('/assistant coach @#:', ann), /answers from your next message on/);
  await chat.say('hello', ann);
  assert.match(await chat.say('/assistant default', ann), /Counsel answers here again/);
  await chat.say('hello', ann);
  assert.deepEqual(
    chat.engine.runs.map(({ body }) => body.agent),
    ['Coach @#:', 'Counsel'],
  );
});

test('each assistant has its own conversation in a chat, which goes on when it is chosen again, also after a restart', async (t) => {
  const chat = await commandChat(t, { ...open, assistants: { all, bindings: [] } });
  const prompted = sessionsOf(chat.engine);
  await chat.say('one', boss);
  await chat.say('/assistant Poet', boss);
  await chat.say('two', boss);
  await chat.restart();
  await chat.say('three', boss);
  await chat.say('/assistant default', boss);
  await chat.say('four', boss);
  const [one, two, three, four] = prompted.map(({ sessionID }) => sessionID);
  assert.notEqual(one, two);
  assert.deepEqual([three, four], [two, one]);
  const listed = await chat.say('/sessions', boss);
  assert.equal(
    listed.match(/^- `/gm)?.length,
    1,
    'the conversation with Poet is not shown as one with Parley',
  );
});

test('an assistant that is removed while sessions are bound to it is missed once, and the bound one answers', async (t) => {
  const assistants: { all: AssistantRules['all']; bindings: AssistantBinding[] } = {
    all,
    bindings: [{ assistant: 'Poet', platform: 'discord', room: room.chat }],
  };
  const chat = await commandChat(t, { ...open, assistants });
  await chat.say('/assistant Parley', inRoom('u9'));
  await chat.say('/assistant coach @#:', inRoom('u9'));
  await chat.say('hello', inRoom('u9'));
  assistants.all = [all[0], all[1] ?? all[0]];
  await chat.restart();
  assert.match(await chat.say('again', inRoom('u9')), /The assistant Coach.* no longer exists/);
  assert.doesNotMatch(await chat.say('and again', inRoom('u9')), /no longer/);
  assert.deepEqual(
    chat.engine.runs.map(({ body }) => body.agent),
    ['Coach @#:', 'Poet', 'Poet'],
  );
  assistants.all = all;
  await chat.say('it is back', inRoom('u9'));
  assert.equal(chat.engine.runs.at(-1)?.body.agent, 'Poet', 'the choice was taken back');
});

test('two people in one room with assistants of their own each have one conversation there, that nobody thrashes', async (t) => {
  const bindings = [{ assistant: 'Counsel', person: 'ann' }];
  const chat = await commandChat(t, { ...open, assistants: { all, bindings } });
  const prompted = sessionsOf(chat.engine);
  for (const who of ['u8', 'u9', 'u8', 'u9']) await chat.say(`hello from ${who}`, inRoom(who));
  assert.deepEqual(prompted.slice(2), prompted.slice(0, 2));
  assert.deepEqual(
    prompted.slice(0, 2).map(({ agent }) => agent),
    ['Counsel', undefined],
  );
});

test('a message that waits while another assistant is chosen is answered by the one that it was written to', async (t) => {
  const chat = await commandChat(t, { ...open, assistants: { all, bindings: [] } });
  await chat.say('hello', { ...boss, address: dm });
  const { prompt } = chat.engine;
  const gate = Promise.withResolvers<void>();
  chat.engine.prompt = async (...call) => {
    await gate.promise;
    return prompt(...call);
  };
  const before = chat.channel.messages.length;
  await chat.channel.sink.accept({
    type: 'message',
    nativeID: 'waits',
    address: dm,
    actor: boss.actor,
    at: chat.clock.now(),
    addressed: 'dm',
    text: 'for Parley',
    files: [],
  });
  await chat.say('/assistant Poet', { ...boss, address: dm });
  gate.resolve();
  await chat.seen('both', () => (chat.channel.messages.length > before + 1 ? true : undefined));
  assert.equal(chat.engine.runs.at(-1)?.body.agent, undefined);
});
