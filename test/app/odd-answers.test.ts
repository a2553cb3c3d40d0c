// Answers in the forms that servers and models have of their own; from a platform's event to what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, type RawCall } from '../engine/support/raw-provider.ts';
import { callWith, openScriptedHouse, sent, whole } from './model-house.ts';

const here = { platform: 'discord', chat: 'dm', user: 'you' } as const;
const one = { platforms: ['discord'] } as const;

for (const [words, answer] of [
  ['nested', '<think>The heron <think>secret</think> is out.</think>\nFour.'],
  ['with space in their tags', '<think >The heron secret.</think >\nFour.'],
  ['as reasoning_content', '<reasoning_content>The heron secret.</reasoning_content>\nFour.'],
  ['as analysis', '<analysis>The heron secret.</analysis>\nFour.'],
  [
    'in channels of gpt-oss',
    '<|channel|>analysis<|message|>The heron secret.<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>',
  ],
  ['in the channel of Gemma', '<|channel>thought\nThe heron secret.<channel|>Four.'],
  [
    'before a solution',
    '<|begin_of_thought|>The heron secret.<|end_of_thought|><|begin_of_solution|>Four.<|end_of_solution|>',
  ],
  [
    'before a response',
    '<|START_THINKING|>The heron secret.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>',
  ],
  [
    'without their first tag',
    'analysis<|message|>The heron secret.<|end|><|start|>assistant<|channel|>final<|message|>Four.',
  ],
  ['that are empty', '<think/>\nFour.'],
] as const)
  test(`thoughts ${words} are neither shown nor sent back (R8)`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      (call) => {
        for (const piece of answer.match(/.{1,3}/gs) ?? []) call.say(piece);
        call.finish();
      },
      one,
    );
    assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
    assert.equal((await house.ask(here, 'what is 2+2, again?')).trim(), 'Four.');
    assert.doesNotMatch(sent(requests.at(-1)), /heron|secret|\|end\||channel|think.{0,2}>|_of_|_RESPONSE/);
  });

test('a call that gpt-oss writes in its own form is made, where its server does not read it (R34)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      const written =
        '<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.todo_read <|constrain|>json<|message|>{}<|call|>';
      for (const piece of (index === 0 ? written : 'None.').match(/.{1,5}/gs) ?? []) call.say(piece);
      call.finish();
    },
    one,
  );
  assert.equal((await house.ask(here, 'what is on my list?')).trim(), 'None.');
  assert.match(sent(requests[1]), /"role":"tool"/);
});

/** The whole answer in other clothes: what servers and proxies send although a stream was asked for. */
const clothes: [words: string, send: (call: RawCall, answer: object) => void][] = [
  ['as an event stream', (call, answer) => call.send(200, JSON.stringify(answer), 'text/event-stream')],
  ['as plain text', (call, answer) => call.send(200, JSON.stringify(answer), 'text/plain; charset=utf-8')],
  [
    'over several lines',
    (call, answer) => call.send(200, JSON.stringify(answer, null, 2), 'text/event-stream'),
  ],
  ['without a type', (call, answer) => call.send(200, JSON.stringify(answer), '')],
  ['as bytes', (call, answer) => call.send(200, JSON.stringify(answer), 'application/octet-stream')],
  [
    'as lines of JSON',
    (call, answer) => call.send(200, `${JSON.stringify(answer)}\n`, 'application/x-ndjson'),
  ],
  [
    'in one event',
    (call, answer) => {
      call.write(`data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n`);
      call.end();
    },
  ],
];
for (const [words, send] of clothes)
  test(`a whole answer that comes ${words} is read, with its calls, its thoughts and its parts (R17)`, async (t) => {
    const calling = { id: 'call_0', type: 'function', function: { name: 'todo_read', arguments: '{}' } };
    const long = `Four. ${'And so on. '.repeat(300)}`;
    const answers = [
      whole({ content: null, tool_calls: [calling, calling] }, 'tool_calls'),
      whole({ content: long, reasoning_content: 'The heron secret.' }),
      whole({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Heron.' }] },
          { type: 'text', text: 'Five.' },
        ],
      }),
    ];
    const { house, requests } = await openScriptedHouse(
      t,
      (call, index) => send(call, answers[index] ?? {}),
      one,
    );
    const answer = await house.ask(here, 'what is 2+2?');
    assert.match(answer, /^Four\. And so on\./);
    assert.doesNotMatch(answer, /heron/i);
    assert.equal(sent(requests[1]).split('"role":"tool"').length - 1, 2, 'both calls are made');
    assert.equal((await house.ask(here, 'and 2+3?')).trim(), 'Five.');
    assert.equal(requests.length, 3);
  });

test('what a model writes about a tool is shown, and is no call: its description, its schema, a name alone, arguments that do not fit (R34)', async (t) => {
  const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
  const answers = [
    JSON.stringify({ name: 'todo_read', description: 'Reads the list.', parameters: schema }),
    JSON.stringify({
      type: 'function',
      function: { name: 'todo_read', description: 'Reads.', parameters: schema },
    }),
    JSON.stringify([{ name: 'todo_read', parameters: { type: 'object', properties: {} } }]),
    `\`\`\`json\n${JSON.stringify({ name: 'memory_search', arguments: schema }, null, 2)}\n\`\`\``,
    JSON.stringify({ name: 'todo_read' }),
    JSON.stringify({ name: 'memory_search', arguments: { words: 7 } }),
    JSON.stringify({ name: 'todo_read', arguments: {}, note: 'an example' }),
    JSON.stringify([
      { name: 'todo_read', arguments: {} },
      { name: 'launch_rocket', arguments: {} },
    ]),
  ];
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => call.answer(answers[index] ?? ''),
    one,
  );
  for (const [index, answer] of answers.entries()) {
    const shown = await house.ask(here, `which tool, ${index}?`);
    assert.match(shown, /todo_read|memory_search/, answer);
    assert.equal(requests.length, index + 1, `no call: ${answer}`);
  }
});

test('a server that gives the same id to every call, in one round, over rounds and in no form, gets conversations in which each id is its own', async (t) => {
  const wrong: string[] = [];
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      const asked = call.body.messages.flatMap((message) =>
        'tool_calls' in message ? [message.tool_calls as { id: string }[]].flat() : [],
      );
      const answered = call.body.messages.flatMap((message) =>
        'tool_call_id' in message ? [message.tool_call_id] : [],
      );
      const ids = asked.map(({ id }) => id);
      if (new Set(ids).size !== ids.length) wrong.push(`twice: ${ids.join()}`);
      if (ids.join() !== answered.join()) wrong.push(`${ids.join()} is answered by ${answered.join()}`);
      if (ids.includes('')) wrong.push('an id is empty');
      const one = (at: number, id: string, name: string) => ({
        ...{ index: at, id, type: 'function', function: { name, arguments: '{}' } },
      });
      if (index === 0) call.write(frame({ tool_calls: [one(0, 'call_0', 'todo_read')] }));
      else if (index === 1) {
        call.write(frame({ tool_calls: [one(0, 'call_0', 'todo_read')] }));
        call.write(frame({ tool_calls: [one(1, 'call_0', 'memory_list')] }));
      } else if (index === 2) {
        // all under one number
        call.write(frame({ tool_calls: [one(0, 'a', 'todo_read')] }));
        call.write(frame({ tool_calls: [one(0, 'b', 'memory_list')] }));
      } else if (index === 3) call.write(frame({ tool_calls: [one(0, '', 'todo_read')] }));
      if (index < 4) call.finish('tool_calls');
      else call.answer('Four.');
    },
    one,
  );
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
  assert.equal((await house.ask(here, 'and again?')).trim(), 'Four.');
  assert.deepEqual(wrong, []);
  assert.equal(requests.length, 6);
  assert.equal(sent(requests[4]).split('"role":"tool"').length - 1, 6, 'each call is made');
});

test('a server that fails on every result of a tool is asked a bounded number of times, and the person is told', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => {
      if (sent(call.body).includes('"role":"tool"'))
        call.refuse(500, { error: { message: 'Internal error' } });
      else callWith(call, 'todo_read', '{}');
    },
    one,
  );
  assert.match(await house.ask(here, 'what is on my list?'), /has a problem right now/);
  assert.ok(requests.length <= 8, `${requests.length} requests`);
});

test('a server that fails on results of tools alone answers without them', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => {
      if (sent(call.body).includes('"role":"tool"'))
        call.refuse(500, { error: { message: 'Internal error' } });
      else if ('tools' in call.body) callWith(call, 'todo_read', '{}');
      else call.answer('I cannot look.');
    },
    one,
  );
  assert.match(await house.ask(here, 'what is on my list?'), /I cannot look\./);
  assert.ok(requests.length <= 6, `${requests.length} requests`);
});

const unpaid: [service: string, refuse: (call: RawCall) => void][] = [
  [
    'MiniMax',
    (call) =>
      call.refuse(200, {
        choices: null,
        base_resp: { status_code: 1008, status_msg: 'insufficient balance' },
      }),
  ],
  [
    'MiniMax in a stream',
    (call) => {
      const error = { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } };
      call.write(`data: ${JSON.stringify(error)}\n\n`);
      call.end();
    },
  ],
  [
    'Zhipu',
    (call) => call.refuse(429, { error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } }),
  ],
  ['DashScope', (call) => call.refuse(400, { error: { code: 'Arrearage', message: 'Access denied.' } })],
  [
    'SiliconFlow',
    (call) => call.refuse(403, { code: 30001, message: 'balance is insufficient', data: null }),
  ],
];
test('an account without credit is reported as what it is in the codes of each service, and not asked again', async (t) => {
  let refuse: (call: RawCall) => void = () => {};
  const { house, requests } = await openScriptedHouse(t, (call) => refuse(call), one);
  for (const [index, [service, how]] of unpaid.entries()) {
    refuse = how;
    assert.match(await house.ask(here, `hello ${index}`), /no credit left/, service);
    assert.equal(requests.length, index + 1, service);
  }
});

test('a request that is too long for MiniMax, and one that Zhipu does not want to read, are read by their codes, in a stream too', async (t) => {
  const tooLong = { choices: null, base_resp: { status_code: 1039, status_msg: 'limit' } };
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => {
      const body = sent(call.body);
      if (body.includes('pumpernickel')) {
        call.write(`data: ${JSON.stringify({ error: { code: '1301', message: '请求失败' } })}\n\n`);
        call.end();
      } else if (body.length > 60_000) call.refuse(200, tooLong);
      else call.answer('Four.');
    },
    one,
  );
  const notes = { name: 'notes.txt', mime: 'text/plain', bytes: Buffer.from('lorem ipsum '.repeat(3_300)) };
  await house.ask(here, 'keep this', [notes]);
  await house.ask(here, 'and this', [{ ...notes, name: 'more.txt' }]);
  assert.match(await house.ask(here, 'what is 2+2?'), /^Four\./);
  assert.ok(
    requests.some((body) => sent(body).length > 60_000),
    'one was refused',
  );
  assert.match(await house.ask(here, 'pumpernickel'), /withheld the answer/);
});
