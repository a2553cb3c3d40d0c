// The work journal in chats: from what people write and press on each platform, through the real client libraries, to what they are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';
import { openModelHouse } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;

/** Presses a button of the newest answer that has any, and resolves with what is answered then. */
async function press(house: House, talk: Talk, at: number): Promise<string> {
  const before = house.answers(talk).length;
  const asked = house.answers(talk).findLast(({ buttons }) => buttons !== undefined);
  assert.ok(asked, 'a message with buttons');
  house.sandbox[talk.platform].pressButton({ id: asked.id, user: talk.user, at });
  return found('the answer to the press', () => house.answers(talk)[before]?.text);
}

test('a session is handed over by its person on each platform, and what was open is settled and shown (P1)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  for (const platform of all) {
    const talk: Talk = { platform, chat: 'dm', user: 'you' };
    const sign = platform === 'slack' ? '!' : '/';
    const say = (text: string): Promise<string> => house.ask(talk, `${sign}${text}`);
    if (platform === 'discord') assert.match(await say('recap'), /Nothing was handed over/);
    assert.match(await say('handoff'), /I have no proposal/);
    assert.match(await say('handoff save'), /A summary is missing/);
    const lines = [
      `summary: We wrote the ${platform} parser.`,
      'decision: Use a table',
      `open: The ${platform} lexer is slow`,
      'next: Measure it',
    ];
    const draft = await say(`handoff ${lines.join('\n')}`);
    assert.match(
      draft,
      new RegExp(`We wrote the ${platform} parser[\\s\\S]*Use a table[\\s\\S]*lexer is slow`),
    );
    assert.match(await press(house, talk, 0), /The session is handed over/);
    const open = await say('open');
    const [, id = ''] = new RegExp(`(\\w{6})\\W+The ${platform} lexer is slow`).exec(open) ?? [];
    assert.match(id, /^\w{6}$/, open);
    assert.match(await say(`done ${id} it is fast now`), new RegExp(`Done: The ${platform} lexer is slow`));
    assert.doesNotMatch(await say('open'), new RegExp(`${platform} lexer`));
    assert.match(await say('decisions'), /Use a table/);
    assert.match(await say('recap'), new RegExp(`Latest session.*${platform} parser`));
  }
  // of the three platforms' steps, which are one person's, the second handoff keeps two and drops a draft
  const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
  const [, id = ''] = /(\w{6})\W+Measure it/.exec(await house.ask(talk, '/open')) ?? [];
  assert.match(await house.ask(talk, `/park ${id}`), /Set aside: Measure it/);
  assert.match(await house.ask(talk, `/done ${id} after all`), /Done: Measure it/);
  const steps = async (): Promise<number> => (await house.ask(talk, '/open')).split('Measure it').length - 1;
  const before = await steps();
  await house.ask(talk, '/handoff summary: Nothing more.');
  assert.match(await press(house, talk, 1), /Nothing was saved/);
  await house.ask(talk, '/handoff summary: Nothing more.');
  assert.match(await house.ask(talk, '/handoff save'), /is handed over/);
  assert.equal(await steps(), before);
});

test('what a room handed over stays in the room, and only who began a handoff decides on it (P14)', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  const room: Talk = { platform: 'discord', chat: 'room', user: 'you' };
  await house.ask(room, '/handoff summary: The walnut room decided.\ndecision: Walnut');
  const asked = house.answers(room).findLast(({ buttons }) => buttons !== undefined);
  house.sandbox.discord.pressButton({ id: asked?.id ?? '', user: 'guest', at: 0 });
  await found('the refusal', () =>
    house.answers({ ...room, user: 'guest' }).find(({ text }) => /for someone else/.test(text)),
  );
  assert.match(await press(house, room, 0), /is handed over/);
  assert.match(await house.ask({ ...room, user: 'guest' }, '/decisions'), /Walnut/);
  assert.doesNotMatch(await house.ask({ ...room, chat: 'dm' }, '/decisions'), /Walnut/);
  assert.doesNotMatch(await house.ask({ ...room, chat: 'private' }, '/recap'), /[Ww]alnut/);
});

test('with a model the assistant proposes what is handed over, and what it says is done is settled', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram'], {
    channels: { discord: { enabled: false }, slack: { enabled: false } },
  });
  const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
  await house.ask(talk, 'Let us use a table for the parser.');
  await house.ask(talk, '/handoff summary: First.\nopen: Choose a parser');
  await press(house, talk, 0);
  const [, id = ''] = /(\w{6})\W+Choose a parser/.exec(await house.ask(talk, '/open')) ?? [];
  const proposal = {
    summary: 'The parser has a table now.',
    decisions: [{ title: 'A table', body: 'It is easier to read.' }],
    steps: [{ title: 'Write the table' }],
  };
  model.clearFixtures();
  model.addFixture({
    match: { userMessage: /Conversation:[\s\S]*use a table/ },
    response: (request) => ({ content: JSON.stringify({ ...proposal, settled: [openID(request)] }) }),
  });
  const draft = await house.ask(talk, '/handoff we chose');
  assert.match(
    draft,
    /The parser has a table now[\s\S]*A table[\s\S]*Write the table[\s\S]*Done since[\s\S]*Choose a parser/,
  );
  assert.match(draft, new RegExp(id));
  assert.match(await press(house, talk, 0), /is handed over/);
  const open = await house.ask(talk, '/open');
  assert.match(open, /Write the table/);
  assert.doesNotMatch(open, /Choose a parser/);
});

/** The id of the open thread that the model was given. */
function openID(request: unknown): string {
  return /(jnl_\w+) \W*Choose a parser/.exec(JSON.stringify(request))?.[1] ?? '';
}
