// What only greets, thanks or agrees recalls nothing, whatever a model of vectors finds near; what asks anything besides is asked.
import assert from 'node:assert/strict';
import { isGreeting, saysNothing } from '#memory/words/greeting.ts';
import { until } from '../support/found.ts';
import { test } from './each-store.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, mine, openMemory } from './open-memory.ts';

const greetings = [
  ...[
    'hello',
    'Hi!',
    'Hey there',
    'Good morning, everyone!',
    'Hello Parley',
    'Thanks, Ann!',
    'Thank you very much!',
  ],
  ...[
    'how are you today?',
    "How's it going?",
    'Have a nice weekend',
    'See you tomorrow',
    'Hi, how are you? Thanks for the help!',
  ],
  ...[
    'Hallo zusammen',
    'Guten Morgen!',
    'Vielen Dank',
    'Wie geht’s dir?',
    'Tschüss, bis morgen',
    'Bonjour à tous',
    'Merci beaucoup',
  ],
  ...[
    '¡Hola! ¿Qué tal?',
    'Muchas gracias',
    'Olá, tudo bem?',
    'Buongiorno a tutti',
    'Goedemorgen allemaal',
    'Tack så mycket',
  ],
  ...['Привет! Как дела?', 'Добрый день', 'こんにちは', 'ありがとうございます！', '你好！', '谢谢'],
];
const agreements = ['ok', 'Okay, cool', 'yes', 'No!', 'lol', '👍', '…', 'ja gern', "d'accord", 'да', 'はい'];
const questions = [
  ...[
    'hello, where is my bike?',
    'Thanks for the soup recipe',
    'good morning routine',
    'night shift',
    'yes, Berlin',
    '4512',
  ],
  ...[
    'hi, remind me of the code',
    'Danke, und der Schlüssel?',
    'Bonjour, le vélo est vert ?',
    'see you at the harbour',
    '你好吗的歌',
  ],
];

test('greetings and agreement in eleven languages are known, and what asks anything besides is none', () => {
  for (const text of greetings) assert.deepEqual([isGreeting(text), saysNothing(text)], [true, true], text);
  for (const text of agreements) assert.deepEqual([isGreeting(text), saysNothing(text)], [false, true], text);
  for (const text of questions) assert.equal(saysNothing(text), false, text);
  assert.equal(saysNothing('hello '.repeat(40)), false, 'too long for a greeting');
});

test('a greeting recalls nothing though every vector is near, is not sent to the model, and leaves what is pinned', async (t) => {
  const embedder = testEmbedder();
  embedder.fault = { vector: [1, 0, 0, 0, 0, 0, 0, 1] };
  const memory = openMemory(t, { embedder });
  for (const text of ['Hello! My boat is red', 'Good night, the alarm code is 4711', 'My bike is green'])
    await memory.archive(exchange(text, { assistantText: 'Hello! Thanks, I noted it.' }));
  await until('the vectors', async () => (await memory.status()).vectors === 3);
  assert.equal((await memory.recall({ text: 'a saddle', scope: mine })).hits.length, 3, 'all are near');
  const before = embedder.calls.length;
  for (const text of [...greetings, ...agreements]) {
    const { block, hits, omitted } = await memory.recall({ text, scope: mine });
    assert.deepEqual([block, hits, omitted], ['', [], 0], text);
  }
  assert.equal(embedder.calls.length, before);
  await memory.put({
    ...{ kind: 'preference', text: 'Answers in French', at: 0, pinned: true },
    ...{ speaker: { person: 'per_1', name: 'you' }, where: { audience: 'person:per_1', restricted: true } },
    ...{ platform: 'api', chat: 'api', sessionID: '', runID: '', messageIDs: [] },
  });
  assert.match((await memory.recall({ text: 'hello', scope: mine })).block, /Answers in French/);
});
