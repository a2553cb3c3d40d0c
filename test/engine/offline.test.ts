// The built-in model through the engine: honest, deterministic, and the same path as any other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guide } from '#engine/providers/offline/guide.ts';
import { type Intent, intentOf } from '#engine/providers/offline/intent.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ask, begin, converse, only, openKit, originOf, textBody, watch } from './support/kit.ts';
import { missionOf, teamOf } from './teams/team-kit.ts';

test('what was written on Discord is quoted on Telegram, with who, where and when (TAN, T34)', async (t) => {
  const { engine } = await openKit(t);
  const discord = await engine.createSession({ sourceKind: 'channel' });
  const telegram = await engine.createSession({ sourceKind: 'channel' });
  const noted = await converse(
    engine,
    discord.id,
    textBody('My cat is called Mia & she is <grey>.', originOf()),
  );
  assert.match(noted.text, /I will remember that\. I am running offline \(no model key is set\)/);
  const origin = originOf({ platform: 'telegram', chat: 'telegram:dm:7:-:8:-' });
  const { seen } = watch(t, engine, { sessionID: telegram.id });
  const run = await ask(engine, telegram.id, textBody('What is my cat called?', origin));
  assert.match(run.text, /^I am running offline/);
  assert.match(
    run.text,
    /> My cat is called Mia & she is <grey>\.\n— guest, discord dm, 2026-11-21 14:05 UTC/,
  );
  const calls = only(seen, 'message.part.updated').flatMap(({ properties }) =>
    properties.part.state === 'completed' ? [properties.part] : [],
  );
  assert.deepEqual(
    calls.map(({ tool, args }) => [tool, args]),
    [['memory_search', { query: 'What is my cat called?' }]],
  );
  const again = await ask(engine, telegram.id, textBody('What is my cat called?', origin));
  assert.equal(again.text, run.text);
});

test('it says so when it remembers nothing, and promises nothing where nothing is stored', async (t) => {
  const { engine } = await openKit(t);
  const chat = await engine.createSession({ sourceKind: 'channel' });
  const api = await engine.createSession({});
  const nothing = await ask(engine, chat.id, textBody('Where did I park?', originOf()));
  assert.match(nothing.text, /offline.*I remember nothing about that/);
  const told = await ask(engine, api.id, 'I parked behind the mill.');
  assert.match(told.text, /are not stored in memory/);
  assert.doesNotMatch(told.text, /I will remember/);
});

test('in a room it is asked in the name of a person, who is not part of the question', async (t) => {
  const { engine } = await openKit(t);
  const room = await engine.createSession({ sourceKind: 'channel' });
  const origin = originOf({ kind: 'channel', audience: 'room:r1', space: 'discord:1:g', restricted: false });
  const { seen } = watch(t, engine, { sessionID: room.id });
  await converse(engine, room.id, textBody('The release is on Friday.', origin));
  const run = await ask(
    engine,
    room.id,
    textBody('[in reply to your message: "Noted"]\nWhen is the release?', origin),
  );
  assert.match(run.text, /> The release is on Friday\./);
  assert.match(JSON.stringify(seen), /"query":"When is the release\?"/);
});

test('the guide is long, whole, and streamed in many small pieces', async (t) => {
  assert.ok(guide.length >= 7_000);
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const { seen, until } = watch(t, engine, { sessionID: id });
  const run = await ask(engine, id, 'Please write me the long guide to setting up Parley');
  assert.equal(run.text, guide);
  await until(({ type }) => type === 'session.run.finished');
  const deltas = only(seen, 'message.part.updated').flatMap(({ properties }) => properties.delta ?? []);
  assert.ok(deltas.length > 300);
  assert.equal(deltas.join(''), guide);
  for (const wanted of [
    '```',
    '| key |',
    '1. ',
    '- ',
    'https://discord.com/developers',
    '@BotFather',
    'api.slack.com',
  ])
    assert.ok(guide.includes(wanted), wanted);
});

test('it says in a few lines what it can do, and thanks are no greeting', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const about = await ask(engine, id, 'What can you do?');
  assert.ok(about.text.length < 800, `${about.text.length} characters`);
  assert.match(about.text, /offline[\s\S]*\/help/);
  const { text } = await ask(engine, id, 'Thanks!');
  assert.equal(text, 'You are welcome.');
});

test('what is said while an answer is made is not known elsewhere yet, and the answer there says so', async (t) => {
  const { engine } = await openKit(t);
  const telegram = await engine.createSession({ sourceKind: 'channel' });
  const slack = await engine.createSession({ sourceKind: 'channel' });
  const somewhereElse = originOf({ platform: 'slack', chat: 'slack:dm:7:-:8:-' });
  const said = await ask(engine, telegram.id, textBody('My boat is called Tern.', originOf()));
  const asked = async (): Promise<string> =>
    (await ask(engine, slack.id, textBody('What is my boat called?', somewhereElse))).text;
  assert.match(await asked(), /still being answered, and I know it once that is done/);
  await engine.delivered({ runID: said.runID, deliveredAtMs: 1, nativeIDs: ['1'] });
  const later = await asked();
  assert.match(later, /Tern/);
  assert.doesNotMatch(later, /still being answered/);
});

test("its pace is the clock's, and cancelling stops it between two pieces", async (t) => {
  const clock = createManualClock();
  const { engine } = await openKit(t, { clock, model: { provider: 'offline', deltaMs: 100 } });
  const { id } = await engine.createSession({});
  const events = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('guide'));
  await clock.advance(1_000);
  const pieces = events.seen.filter(({ envelope }) => envelope.seq === null).length;
  assert.ok(pieces >= 8 && pieces <= 11, `${pieces} pieces in a second`);
  assert.equal(await engine.cancel(id), true);
  const run = await engine.finished(runID);
  assert.equal(run.status, 'cancelled');
  assert.ok(guide.startsWith(run.text));
});

test('what a person wants is recognized by the form of the words', () => {
  const expected: [Intent, string[]][] = [
    [
      'guide',
      [
        'guide',
        'How do I set up Parley?',
        'please give me a long answer',
        'Can you write the setup guide',
        'Hey, show me the manual',
      ],
    ],
    ['about', ['help', '/help', 'Help!', 'What can you do?', 'Who are you?', 'Hi, what can you do']],
    ['greeting', ['hi', 'Hello there!', 'good morning']],
    ['thanks', ['thanks', 'Thanks!', 'Thank you so much!', 'thanks a lot']],
    ['farewell', ['bye', 'Good night!']],
    ['nod', ['ok', 'yes', 'No.']],
    [
      'recall',
      [
        'What is my name?',
        'where do I live',
        'Do you remember my bike?',
        'tell me my name',
        'remind me of the date',
        '¿Cómo se llama mi gato?',
        '私の名前は何ですか？',
        'My cat, what is she called?',
        'when is the release',
        'does my dog have a name',
        'who owns the mill',
        'is the door open',
      ],
    ],
    [
      'statement',
      [
        'My cat is called Mia.',
        'I live in a long street',
        'The guide was late today.',
        'Remember that I like tea',
        'Remind me that my passport expires in March',
        'Tell everyone the door is open',
        'Helpful people are rare',
        'When I was young I lived in Rome',
        'Will is my brother',
        'May is my favourite month',
        'What a day it was',
        'Have a look: my desk is blue',
      ],
    ],
  ];
  for (const [intent, texts] of expected) {
    for (const text of texts) assert.equal(intentOf(text), intent, text);
  }
});

test('several questions at once are looked for by an agent each, where agents may be started, and by the model itself where not', async (t) => {
  const { engine, restart } = await openKit(t, { team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  await converse(engine, id, textBody('My locker at the station is number 4512.', originOf()));
  await converse(engine, id, textBody('The spare key is under the blue flowerpot.', originOf()));
  const both = 'What is the number of my locker at the station? Where is the spare key?';
  const run = await ask(engine, id, textBody(both, originOf()));
  assert.match(
    run.text,
    /^2 agents looked for me:\n\n\*\*What is the number.*4512.*\*\*Where is the spare key.*flowerpot/s,
  );
  const { instances } = await missionOf(engine, id);
  assert.deepEqual(
    instances.map(({ task, status }) => [task, status]),
    [
      ['What is the number of my locker at the station?', 'completed'],
      ['Where is the spare key?', 'completed'],
    ],
  );
  const other = await restart({ team: teamOf({ maxAgents: 1 }) });
  const refused = await ask(other, id, textBody(`${both} `, originOf()));
  assert.match(refused.text, /^I am running offline(?=.*flowerpot)(?=.*4512)/s);
  const off = await restart({ team: teamOf({ enabled: false }) });
  const { id: next } = await off.createSession({ sourceKind: 'channel' });
  assert.match((await ask(off, next, textBody(both, originOf()))).text, /^I am running offline/);
  assert.deepEqual(await off.missions({ sessionID: next }), []);
});
