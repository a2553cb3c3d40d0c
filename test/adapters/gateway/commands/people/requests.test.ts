// /approve, /deny and /answer by the short ids that are shown; /pair and the codes of strangers; /link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChannelAccess, openAccess } from '#adapters/gateway/terms/access-types.ts';
import { dm, message, room } from '../../scripted-channel.ts';
import { createScriptedEngine } from '../../scripted-engine.ts';
import { as, type CommandChat, commandChat } from '../kit.ts';

const people = {
  boss: { role: 'owner' as const, accounts: ['discord:u9'] },
  vice: { role: 'owner' as const, accounts: ['discord:u7'] },
};
const waiting = { access: openAccess('guest'), people };
const standing = (chat: CommandChat, wanted: RegExp) =>
  chat.seen(String(wanted), () => chat.channel.messages.find(({ text }) => wanted.test(text)));

/** A guest's run that waits for approval. */
async function asking(chat: CommandChat, id: string): Promise<void> {
  await chat.say('/help', as('u9'));
  await chat.channel.sink.accept(message('w1', 'look it up'));
  await chat.pass();
  chat.engine.askLeave('run_1', id);
}

test('the short id that a request shows is what /approve takes, from any owner and from nobody else (TY, J2)', async (t) => {
  const chat = await commandChat(t, { ...waiting, engine: createScriptedEngine() });
  await asking(chat, 'per_01ABCDEF');
  const { text } = await standing(chat, /May I use/);
  const [, id = ''] = /`\/approve (\w+)`/.exec(text) ?? [];
  assert.equal(id, 'abcdef');
  assert.match(await chat.say(`/approve ${id}`), /cannot approve/);
  assert.deepEqual(chat.engine.replies, []);
  assert.match(await chat.say('/approve zzzzzz', as('u7')), /nothing with the ID `zzzzzz`/);
  assert.match(await chat.say(`/approve ${id}`, as('u7', 'Vice')), /Allowed, this once/);
  assert.deepEqual(chat.engine.replies, [{ id: 'per_01ABCDEF', reply: 'once', by: 'Vice' }]);
  await standing(chat, /allowed this once/);
  const settled = /settled already: May I use[\s\S]*allowed this once by Vice/;
  assert.match(await chat.say(`/approve ${id}`, as('u7')), settled, 'used once');
});

test('of two owners who answer at one moment the first counts, and the other learns what was decided and by whom (T15)', async (t) => {
  const chat = await commandChat(t, { ...waiting, engine: createScriptedEngine() });
  await asking(chat, 'per_01ABCDEF');
  await standing(chat, /May I use/);
  await Promise.all([
    chat.channel.sink.accept(message('b', '/approve abcdef', as('u9', 'Boss'))),
    chat.channel.sink.accept(message('v', '/deny abcdef', as('u7', 'Vice'))),
  ]);
  const told = await chat.seen('both answers', () => {
    const [boss, vice] = ['D-u9', 'D-u7'].map((id) =>
      chat.channel.messages.findLast(({ address }) => address.includes(id)),
    );
    return vice && { boss: boss?.text, vice: vice.text };
  });
  assert.match(told.boss ?? '', /Allowed, this once/);
  assert.match(told.vice, /settled already: May I use the tool[\s\S]*allowed this once by [Bb]oss/);
  assert.deepEqual(chat.engine.replies, [{ id: 'per_01ABCDEF', reply: 'once', by: 'Boss' }]);
});

test('an approval of what has expired is refused with a message (J4)', async (t) => {
  const chat = await commandChat(t, { ...waiting, engine: createScriptedEngine() });
  await asking(chat, 'per_01ABCDEF');
  await standing(chat, /May I use/);
  chat.engine.replyPermission = async () => {
    const { ParleyError } = await import('#base/errors.ts');
    throw new ParleyError('request_settled', 'This request has expired, because no one answered in time.');
  };
  assert.match(await chat.say('/approve', as('u9')), /has expired/);
});

test('/deny without an id means the only one that is open; with two it asks which', async (t) => {
  const chat = await commandChat(t, { ...waiting, engine: createScriptedEngine() });
  await asking(chat, 'per_01ABCDEF');
  await standing(chat, /May I use/);
  chat.engine.askLeave('run_1', 'per_01GHJKMN');
  await standing(chat, /ghjkmn/);
  assert.match(await chat.say('/deny', as('u9')), /Several are open: `abcdef`, `ghjkmn`/);
  assert.match(await chat.say('/deny ghjkmn', as('u9')), /Not allowed/);
  assert.match(await chat.say('/deny', as('u9')), /Not allowed/);
  assert.match(await chat.say('/deny', as('u9')), /There is no request for approval/);
  assert.deepEqual(
    chat.engine.replies.map(({ reply }) => reply),
    ['reject', 'reject'],
  );
});

test('/answer answers a question, by number or as text, and only the person who was asked (TAD)', async (t) => {
  const chat = await commandChat(t, { ...waiting, engine: createScriptedEngine() });
  await chat.channel.sink.accept(message('w1', 'book it'));
  await chat.pass();
  chat.engine.askQuestions('run_1', 'que_01ABCDEF', [
    { question: 'Which day?', options: ['Monday', 'Friday'] },
  ]);
  await standing(chat, /Which day/);
  assert.match(await chat.say('/answer Sunday', as('u9')), /I have no open question/);
  assert.match(await chat.say('/answer'), /What is your answer\?/);
  assert.match(await chat.say('/answer 2'), /Thank you/);
  assert.deepEqual(chat.engine.replies, [{ id: 'que_01ABCDEF', reply: ['Friday'], by: 'you' }]);
});

test('/answer to a question of a run that is settled says what was decided and by whom, and its words only where it was asked', async (t) => {
  const chat = await commandChat(t, { ...waiting, engine: createScriptedEngine() });
  await chat.channel.sink.accept(message('w1', 'book it'));
  await chat.pass();
  const ask = async (id: string, question: string): Promise<void> => {
    chat.engine.askQuestions('run_1', id, [{ question, options: ['Monday', 'Friday'] }]);
    await standing(chat, new RegExp(question.replace('?', '')));
  };
  await ask('que_01ABCDEF', 'Which day?');
  assert.match(await chat.say('/answer 2'), /Thank you/);
  const settled = /settled already: Which day\?\s+answered by you: Friday/i;
  for (const again of ['/answer abcdef 1', '/answer abcdef']) assert.match(await chat.say(again), settled);
  // what is open is not answered by an answer to what is over
  await ask('que_01GHJKMN', 'Which month?');
  assert.match(await chat.say('/answer abcdef 1'), settled);
  // another person learns nothing of it, and a room not its words
  assert.match(await chat.say('/answer abcdef', as('u9')), /I have no open question/);
  const inRoom = { address: room, addressed: 'mention' as const };
  const here = await chat.say('/answer abcdef 1', inRoom);
  assert.match(here, /settled already: `abcdef`\s+answered/);
  assert.doesNotMatch(here, /Which day|Friday/);
  assert.match(await chat.say('/answer ghjkmn 1'), /Thank you/);
  assert.deepEqual(
    chat.engine.replies.map(({ id, reply }) => [id, reply]),
    [
      ['que_01ABCDEF', ['Friday']],
      ['que_01GHJKMN', ['Monday']],
    ],
  );
});

const pairing: ChannelAccess = { ...openAccess('guest'), directMessages: 'pairing' };
const codeIn = (text: string): string => /`([A-Z2-9]{8})`/.exec(text)?.[1] ?? '';

test('an owner sees in chat who waits, and admits them by the code; others cannot', async (t) => {
  const ann = { role: 'member' as const, accounts: ['discord:u8'] };
  const chat = await commandChat(t, { access: pairing, people: { ...people, ann } });
  const code = codeIn(await chat.say('admit me', as('s1', 'Stranger')));
  assert.match(
    await chat.say('/pairings', as('u9')),
    new RegExp(`\`${code}\` \`discord:s1\`, shown as Stranger \\(60 minutes left\\)`),
  );
  assert.doesNotMatch(await chat.say('/pairings', as('u8')), new RegExp(code));
  assert.match(await chat.say(`/approve ${code}`, as('u8')), /Only owners can do that, and you are a member/);
  assert.match(await chat.say(`/approve ${code} Bob`, as('u9')), /is now admitted as Bob, a member/);
  assert.match(await chat.say('hello', as('s1', 'Stranger')), /You said hello/);
  const other = codeIn(await chat.say('me too', as('s2', 'Other')));
  assert.match(await chat.say(`/deny ${other}`, as('u9')), /`discord:s2` has been turned away/);
});

test('a room where nothing can be shown to one person is not shown whose account or name a code is about', async (t) => {
  const chat = await commandChat(t, { access: pairing, people });
  const inRoom = { ...as('u9'), address: room, addressed: 'mention' as const };
  const said = (at: string): string =>
    chat.channel.messages.flatMap((one) => (one.address.includes(at) ? one.text : [])).join('\n');
  const code = codeIn(await chat.say('admit me', as('s1', 'Stranger')));
  assert.match(
    await chat.say(`/deny ${code}`, inRoom),
    /in a private message/,
    'the owner has no direct message yet',
  );
  await chat.say('/help', as('u9'));
  await chat.say(`/approve ${code} vice`, inRoom);
  assert.match(said('D-u9'), /The name `vice` already belongs to an owner with `discord:u7`/);
  await chat.say(`/deny ${code}`, inRoom);
  assert.match(said('D-u9'), /`discord:s1` has been turned away/);
  assert.doesNotMatch(said('C1'), /discord:|vice/);
});

test('/link joins two accounts of a person by a code that is sent from the other one, and says so on both', async (t) => {
  const chat = await commandChat(t, { access: pairing, people });
  await chat.say('my bike is red', as('u9'));
  const code = /`\/link (\w{8})`/.exec(await chat.say('/link', as('u9')))?.[1] ?? '';
  const phone = as('s1', 'Boss on the phone');
  const asked = await chat.say(`/link ${code}`, phone);
  assert.match(
    asked,
    /connects this account with boss \(`discord:u9`\).*never because someone sent you the code/s,
  );
  assert.match(
    await chat.say('hello?', phone),
    /only talk to people/,
    'nothing is joined before it is confirmed',
  );
  const done = await chat.say(`/link ${code} yes`, phone);
  assert.match(done, /Here you are now boss \(`discord:u9`\), too/);
  await chat.seen('the notice', () =>
    chat.channel.messages.find(
      ({ address, text }) =>
        /D-u9/.test(address) && /`discord:s1`.*is now connected with this account/.test(text),
    ),
  );
  await chat.say('what is my bike like?', phone);
  const reach = chat.engine.runs.at(-1)?.body.origin?.reach.audiences ?? [];
  assert.ok(reach.includes(chat.engine.runs[0]?.body.origin?.audience ?? 'none'));
  assert.match(await chat.say(`/link ${code} yes`, as('s2')), /wrong or has expired/, 'used once');
});

test('a code to link is refused with a message: in a room, of the account itself, old, guessed, and for an account with a name', async (t) => {
  const ann = { role: 'member' as const, accounts: ['discord:u8'] };
  const chat = await commandChat(t, { access: pairing, people: { ...people, ann } });
  assert.match(
    await chat.say('/link', { ...as('u9'), address: room, addressed: 'mention' }),
    /between you and me/,
  );
  const code = /`\/link (\w{8})`/.exec(await chat.say('/link', as('u9')))?.[1] ?? '';
  assert.match(await chat.say(`/link ${code}`, as('u9')), /belongs to this very account/);
  assert.match(await chat.say(`/link ${code}`, as('u8')), /already belongs to another person/);
  assert.match(await chat.say('/link nonsense', as('u8')), /wrong or has expired/);
  await chat.clock.advance(11 * 60_000);
  assert.match(await chat.say(`/link ${code} yes`, as('s1')), /wrong or has expired/);
});

test('anyone who is not known may try a few codes an hour, and is a stranger from then on', async (t) => {
  const chat = await commandChat(t, { access: pairing, people });
  for (let at = 0; at < 6; at += 1)
    assert.match(await chat.say('/link ABCDEFGH', as('s1')), /wrong or has expired/);
  assert.match(await chat.say('/link ABCDEFGH', as('s1')), /only talk to people who have been admitted/);
});

test('linking under open gives no way in where people have to be admitted', async (t) => {
  const chat = await commandChat(t, { access: openAccess('guest') });
  const code = /`\/link (\w{8})`/.exec(await chat.say('/link'))?.[1] ?? '';
  await chat.say(`/link ${code} yes`, as('s1'));
  const [joined] = (await chat.gateway.accessAdmin.list()).people;
  assert.equal(joined?.role, undefined);
  assert.equal(joined?.accounts.length, 2);
});

test('a slash command of a stranger gets its refusal in the place of its sign (I4)', async (t) => {
  const chat = await commandChat(t, { access: pairing, people });
  const from = { ...as('s1'), address: { ...dm, chat: 'D-s1' } };
  chat.channel.messages.push({ id: 'sign', address: 'x', text: '', key: 'sign' });
  for (const id of ['1', '2']) {
    await chat.channel.sink.accept(message(id, '/help', { ...from, placeholder: 'sign' }));
    await chat.pass();
    assert.match(
      chat.channel.messages.find((one) => one.id === 'sign')?.text ?? '',
      /only talk to people/,
      id,
    );
  }
});
