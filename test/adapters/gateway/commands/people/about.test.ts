// What commands tell about the bot and the person, and who may change what. Refusals say why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssistantRules } from '#adapters/gateway/admission/assistants.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { room } from '../../scripted-channel.ts';
import { as, commandChat } from '../kit.ts';

const people = {
  boss: { role: 'owner' as const, accounts: ['discord:u9', 'telegram:99'] },
  ann: { role: 'member' as const, accounts: ['discord:u8'] },
};
const assistants: AssistantRules = {
  all: [
    { name: 'Parley', choosableBy: 'owner' },
    { name: 'Poet', choosableBy: 'owner' },
    { name: 'Coach', choosableBy: 'member' },
    { name: 'Counsel', choosableBy: 'nobody' },
  ],
  bindings: [],
};
const options = { access: openAccess('guest'), people, assistants };

test('help lists what the person may use, and nothing else', async (t) => {
  const chat = await commandChat(t, options);
  const guest = await chat.say('/help');
  assert.match(guest, /`\/rename TITLE`: give/);
  assert.doesNotMatch(guest, /\/export|\/usage/);
  assert.match(await chat.say('/help', as('u8')), /\/export/);
});

test('a mistyped command costs no model call: the one that is meant is named', async (t) => {
  const chat = await commandChat(t, options);
  const words = await chat.say('/hepl');
  assert.match(
    words,
    /`\/hepl` is not one of my commands; did you mean `\/help`\? `\/help` lists them all\./,
  );
  assert.deepEqual(chat.engine.runs, []);
  await chat.say('/deploy');
  assert.equal(chat.engine.runs.length, 1, 'a word that is no near miss is meant for the assistant');
});

test('each command has a least role, and its refusal says which and who one is', async (t) => {
  const chat = await commandChat(t, options);
  assert.match(await chat.say('/usage'), /`\/usage` is only for members, and you are a guest/);
  assert.match(await chat.say('/usage', as('u8')), /this conversation: /);
  assert.match(
    await chat.say('/model gpt-small', as('u8')),
    /Only owners can change the model.*You are a member/,
  );
  assert.match(
    await chat.say('/assistant Poet', as('u8')),
    /Poet cannot be chosen by you, since you are a member/,
  );
  const usage = await chat.say('/usage', as('u9'));
  assert.match(usage, /2026-01-02, all chats: 2 answers, 100 tokens in, 50 out, \$0\.0123/);
  assert.match(usage, /today, Poet: 2 answers, 100 tokens in/);
});

test('an owner chooses model and assistant for a chat; the choice holds after a restart, and can be taken back', async (t) => {
  const chat = await commandChat(t, options);
  const boss = as('u9');
  assert.match(await chat.say('/model', boss), /`gpt-big` answers here\.[\s\S]*- `gpt-small`/);
  assert.match(await chat.say('/model gpt-none', boss), /has no model `gpt-none`/);
  assert.match(await chat.say('/model gpt-small', boss), /`gpt-small` answers from your next message on/);
  assert.match(await chat.say('/assistant nobody', boss), /no assistant `nobody`/);
  assert.match(await chat.say('/assistant poet', boss), /Poet answers from your next message on/);
  await chat.restart();
  await chat.say('hello', boss);
  const { model, agent } = chat.engine.runs[0]?.body ?? {};
  assert.deepEqual([model, agent], [{ modelID: 'gpt-small' }, 'Poet']);
  await chat.say('/model default', boss);
  await chat.say('/assistant default', boss);
  await chat.say('hello', boss);
  assert.deepEqual(
    [chat.engine.runs[1]?.body.model, chat.engine.runs[1]?.body.agent],
    [undefined, undefined],
  );
  await chat.say('hello', as('u8'));
  assert.equal(chat.engine.runs[2]?.body.model, undefined, 'another chat has its own choice');
});

test('a chat whose assistant the engine does not know is answered by the usual one, and learns that once', async (t) => {
  const { ParleyError } = await import('#base/errors.ts');
  const chat = await commandChat(t, options);
  await chat.say('/assistant Poet', as('u9'));
  const { prompt } = chat.engine;
  chat.engine.prompt = async (sessionID, body, how) => {
    if (body.agent !== undefined) throw new ParleyError('unknown_agent', 'There is no agent.');
    return prompt(sessionID, body, how);
  };
  assert.match(
    await chat.say('hello', as('u9')),
    /You said hello\.[\s\S]*The assistant Poet no longer exists/,
  );
  assert.doesNotMatch(await chat.say('again', as('u9')), /Poet/);
});

test('/whoami shows a person who they are; in a room it reveals no name, and answers in private', async (t) => {
  const chat = await commandChat(t, options);
  assert.match(await chat.say('/whoami'), /I know you as `discord:u1`, a guest/);
  assert.match(
    await chat.say('/whoami', as('u9')),
    /I know you as boss, an owner\. Your accounts are .*`telegram:99`/,
  );
  const inRoom = { ...as('u9'), address: room, addressed: 'mention' as const };
  const said = chat.channel.messages.length;
  await chat.say('/whoami', inRoom);
  const [direct, shown, ...more] = chat.channel.messages.slice(said);
  assert.match(direct?.text ?? '', /I know you as boss, an owner\..*`telegram:99`/);
  assert.match(direct?.address ?? '', /:dm:/);
  assert.equal(shown?.text, '_(I answered you in a private message.)_');
  assert.deepEqual(more, []);
  const ann = { ...as('u8'), address: room, addressed: 'mention' as const };
  const told = await chat.say('/whoami', ann);
  assert.equal(
    told,
    'You are a member. Send me `/whoami` in private to see more. In channels and groups I answer everyone.',
  );
});

test('status shows everyone their chat, and owners the channels', async (t) => {
  const chat = await commandChat(t, options);
  const guest = await chat.say('/status');
  assert.match(guest, /Parley test: everything works[\s\S]*conversation: none yet/);
  assert.doesNotMatch(guest, /discord: /);
  const owner = await chat.say('/status', as('u9'));
  assert.match(owner, /discord: connected \(0 to answer, 0 to send\)/, 'the command itself is not counted');
  const [, address = ''] = /^- address of this chat: `(.+)`$/m.exec(owner) ?? [];
  assert.equal(address, chat.channel.messages.at(-1)?.address);
  assert.doesNotMatch(guest, /address/);
});

test('tools are listed in pages, with those that ask for approval', async (t) => {
  const chat = await commandChat(t, options);
  const first = await chat.say('/tools');
  assert.match(first, /`tool_3` \(asks for approval\): Does the thing number 3\.\n/);
  assert.match(first, /Page 1 of 2/);
  assert.match(await chat.say('/tools 2'), /`tool_11`/);
});

test('a command that fails says so with a reference, and nothing of why (J7)', async (t) => {
  const chat = await commandChat(t, options);
  chat.engine.abilities = async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7 key sk-ant-secret');
  };
  const told = await chat.say('/tools');
  assert.match(told, /That did not work\. Please send it again \(reference ref_/);
  assert.doesNotMatch(told, /10\.0\.0\.7|sk-ant/);
});
