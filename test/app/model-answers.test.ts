// What a model sends back is shown as it should be, whatever it sent; from a platform's event to what is shown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { frame, type RawCall } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import type { House, Talk } from './house.ts';
import { callWith, openScriptedHouse, sent, whole } from './model-house.ts';

const here = { platform: 'discord', chat: 'dm', user: 'you' } as const;
const one = { platforms: ['discord'] } as const;

const stored = async ({ folder, parley }: House, path: string): Promise<string> => {
  const token = readFileSync(join(folder, '.parley', 'token'), 'utf8').trim();
  return (await fetch(`${parley.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).text();
};

for (const [words, pieces] of [
  ['closed', ['<think>The heron secret.</think>Four.']],
  ['split at every character', [...'<think>The heron secret.</think>\n\nFour.']],
  ['only closed', ['The heron secret.\n</think>\n\nFour.']],
] as const)
  test(`thoughts between tags, ${words}, are neither shown, nor found in memory, nor sent back (R8)`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      (call) => {
        for (const piece of pieces) call.say(piece);
        call.finish();
      },
      one,
    );
    assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
    assert.equal((await house.ask(here, 'what is 2+2, again?')).trim(), 'Four.');
    assert.doesNotMatch(sent(requests.at(-1)), /heron/);
    const [{ id }] = JSON.parse(await stored(house, '/session'));
    const messages = await stored(house, `/session/${id}/message`);
    assert.match(messages, /"type":"reasoning","text":"The heron secret/);
    assert.doesNotMatch(await house.ask(here, '/memory search heron'), /secret/);
  });

test('thoughts that end an answer are never shown, and tags in a code fence are text (R8)', async (t) => {
  const fenced = 'See:\n```\n<think>\nx\n</think>\n```';
  const { house } = await openScriptedHouse(
    t,
    (call, index) => call.answer(index === 0 ? 'Four.\n<think>Was that right' : fenced),
    one,
  );
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
  assert.match(await house.ask(here, 'how do tags look?'), /<think>\nx\n<\/think>/);
});

/** All that a person sees of the bot there: messages, and what is written without one. */
const seen = (house: House, talk: Talk): string =>
  [
    ...house.answers(talk).map(({ text }) => text),
    house.sandbox[talk.platform].draft?.(talk.chat, talk.user)?.text ?? '',
  ].join('');

for (const platform of ['discord', 'telegram', 'slack'] as const)
  test(`thoughts that were shown before they said so are taken back at once, before a word of the answer is there: ${platform} (R8)`, async (t) => {
    let open: RawCall | undefined;
    const { house } = await openScriptedHouse(t, (call) => {
      open = call;
      call.say('The heron secret');
    });
    const talk = { ...here, platform };
    const asking = house.ask(talk, 'what is 2+2?');
    const shown = (what: string, is: (text: string) => boolean) =>
      found(what, () => (is(seen(house, talk)) ? true : undefined));
    await shown('the thought', (text) => text.includes('heron'));
    open?.say('.\n</think>');
    await shown('nothing of it', (text) => !text.includes('heron'));
    open?.say('\n\nFo');
    await shown('the words', (text) => /Fo/.test(text) && !text.includes('heron'));
    open?.answer('ur.');
    assert.match((await asking).trim(), /Four\.$/);
    assert.equal(house.answers(talk).at(-1)?.text.trim(), 'Four.');
    assert.doesNotMatch(seen(house, talk), /heron/);
  });

for (const [thought, language] of [
  ['Okay, the user asks what 2+2 is. The heron secret.', 'English'],
  ['嗯，用户问二加二。The heron secret.', 'Chinese'],
  ['Hmm. The heron secret.', 'a sound'],
  ['We need to answer. The heron secret.', 'a plan'],
] as const)
  test(`the first answer of a model that begins as thoughts do is not shown before that is known: ${language} (R8)`, async (t) => {
    let open: RawCall | undefined;
    const previews = new Set<string>();
    const other = { ...here, platform: 'slack' } as const;
    let plain: RawCall | undefined;
    const { house } = await openScriptedHouse(
      t,
      (call, index) => {
        if (index === 0) open = call;
        else plain = call;
        for (const piece of index === 0 ? thought : 'Plain words') call.say(piece);
      },
      { platforms: ['discord', 'slack'] },
    );
    house.sandbox.discord.onChange(() => previews.add(seen(house, here)));
    const asking = house.ask(here, 'what is 2+2?');
    const call = await found('the request', () => open);
    const askingToo = house.ask(other, 'and 2+3?');
    // it began later: by then the first one would have a preview, too
    await found('a preview elsewhere', () => (seen(house, other).includes('Plain') ? true : undefined));
    call.say('\n</think>\n\n');
    call.answer('Four.');
    plain?.answer('.');
    await askingToo;
    assert.equal((await asking).trim(), 'Four.');
    assert.doesNotMatch([...previews].join(), /heron|user|用户|Hmm|We need/);
  });

test('an answer that only begins as thoughts do is shown whole, and the next one of that model while it is written (R8)', async (t) => {
  let open: RawCall | undefined;
  const { house } = await openScriptedHouse(
    t,
    (call, index) => {
      if (index === 0) return call.answer('Okay, four it is.');
      open = call;
      call.say('Okay, five');
    },
    one,
  );
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Okay, four it is.');
  const asking = house.ask(here, 'what is 2+3?');
  await found('a preview', () => (seen(house, here).includes('Okay, five') ? true : undefined));
  open?.answer(' it is.');
  assert.equal((await asking).trim(), 'Okay, five it is.');
});

test('an answer that ends after a tool call without text is requested once more (R9)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      if (index === 0) {
        call.say('Let me check your notes.');
        callWith(call, 'todo_read', '{}');
      } else if (index === 1) call.finish();
      else call.answer('There are none.');
    },
    one,
  );
  assert.match(await house.ask(here, 'what is on my list?'), /There are none\./);
  assert.match(sent(requests[2]), /You have not answered yet/);
});

test('a model that says nothing after a tool call, twice, is reported to the person (R9)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      if (index === 0) {
        call.say('Let me check your notes.');
        callWith(call, 'todo_read', '{}');
      } else call.finish();
    },
    one,
  );
  assert.match(await house.ask(here, 'what is on my list?'), /ended without an answer/);
  assert.equal(requests.length, 3);
});

for (const [finish, words] of [
  ['length', /One two\n+\(?My answer was cut off here[\s\S]*“continue”/],
  ['content_filter', /One two\n+\(?My model provider withheld the rest/],
] as const)
  test(`an answer that ended with ${finish} says so in one line, which the model is not told (R10, R11)`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      (call, index) => {
        call.say(index === 0 ? 'One two' : 'three.');
        call.finish(index === 0 ? finish : 'stop');
      },
      one,
    );
    assert.match(await house.ask(here, 'count'), words);
    assert.equal((await house.ask(here, 'continue')).trim(), 'three.');
    assert.doesNotMatch(sent(requests.at(-1)), /cut off|withheld/);
  });

test('arguments of a tool that are no object are sent back as an empty one, and the conversation continues (R12, R13)', async (t) => {
  for (const [args, number] of [
    ['{"query": "x', 'R12'],
    ['["a"]', 'R13'],
    ['7', 'R13'],
    ['"text"', 'R13'],
  ] as const) {
    const bad: string[] = [];
    const { house } = await openScriptedHouse(
      t,
      (call, index) => {
        const calls = call.body.messages.flatMap((message) =>
          'tool_calls' in message ? [message.tool_calls].flat() : [],
        );
        const all = JSON.stringify(calls).matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g);
        for (const [, json = ''] of all) if (JSON.parse(json) !== '{}') bad.push(json);
        if (bad.length > 0) call.refuse(400, { error: { message: 'arguments must be a JSON object' } });
        else if (index === 0) callWith(call, 'todo_read', args);
        else call.answer('Four.');
      },
      one,
    );
    assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.', number);
    assert.equal((await house.ask(here, 'and again?')).trim(), 'Four.', number);
    assert.deepEqual(bad, []);
  }
});

test('a tool with a name that providers refuse is refused to the model with an error, under a name that they take (R14)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      const names = sent(call.body).match(/"tool_calls":\[\{[^}]*"name":"([^"]*)"/)?.[1];
      if (names !== undefined && !/^[\w-]{1,64}$/.test(names))
        call.refuse(400, { error: { message: `Invalid 'messages[2].tool_calls[0].function.name'` } });
      else if (index === 0) callWith(call, 'memory.search notes', '{}');
      else call.answer('Four.');
    },
    one,
  );
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
  assert.match(sent(requests[1]), /There is no tool/);
  assert.equal((await house.ask(here, 'and again?')).trim(), 'Four.');
});

test('a provider that asks for an hour is announced for about an hour later (R16)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => call.refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '3600' }),
    one,
  );
  assert.match(await house.ask(here, 'hello'), /try again in about 1 hour/);
  assert.equal(requests.length, 1);
});

test('JSON in the place of a stream, chunks without choices and arguments as an object are taken as they are meant (R17)', async (t) => {
  const calling = { id: 't1', type: 'function', function: { name: 'todo_read', arguments: {} } };
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      if (index === 0) call.refuse(200, whole({ content: null, tool_calls: [calling] }, 'tool_calls'));
      else if (index === 1) call.refuse(200, whole({ content: 'Four.' }));
      else if (index === 2) {
        call.write('data: {"id":"c1","prompt_filter_results":[]}\n\n');
        call.write(frame({ role: 'model', tool_calls: [{ ...calling, index: 0 }] }));
        call.finish('tool_calls');
      } else {
        call.write('data: {"id":"c1","model":"m","choices":null}\n\n');
        call.answer('Five.');
      }
    },
    one,
  );
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
  assert.equal((await house.ask(here, 'what is 2+3?')).trim(), 'Five.');
  assert.equal(requests.length, 4);
});

const refusals: readonly [words: string, refuse: (call: RawCall) => void][] = [
  ['refuses its key', (call) => call.refuse(401, { error: { message: 'Incorrect API key provided' } })],
  ['may not be used', (call) => call.refuse(403, { error: { message: 'Not for this region' } })],
  ['does not exist', (call) => call.refuse(404, { error: { message: 'model not found' } })],
  [
    'answers 200 with an error',
    (call) => call.refuse(200, { error: { message: 'Provider returned error', code: 403 } }),
  ],
  ['says nothing', (call) => call.answer('')],
  [
    'withholds its answer',
    (call) => {
      call.open();
      call.finish('content_filter');
    },
  ],
];
for (const [words, refuse] of refusals)
  test(`where a model ${words}, another one answers in the chat (R15)`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      (call) => (call.body.model === 'm' ? refuse(call) : call.answer('Four.')),
      { ...one, config: { model: { fallbacks: [{ provider: 'openai-compatible', name: 'other' }] } } },
    );
    assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
    assert.deepEqual(
      requests.map(({ model }) => model),
      // an answer without words is requested once more first
      words === 'says nothing' ? ['m', 'm', 'other'] : ['m', 'other'],
    );
  });

test('a call that is written as text is made where it is all of the answer and names a tool that was offered (R34)', async (t) => {
  const written = '```json\n{"name": "todo_read", "arguments": {}}\n```';
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) =>
      call.answer(
        [written, 'None.', '<tool_call>{"name": "todo_read"}</tool_call>', 'Still none.'][index] ?? '',
      ),
    one,
  );
  assert.equal((await house.ask(here, 'what is on my list?')).trim(), 'None.');
  assert.equal((await house.ask(here, 'and now?')).trim(), 'Still none.');
  assert.match(sent(requests[1]), /"role":"tool"/);
});

test('a call that is written as text is shown as it is where it names no offered tool, or other words are with it (R34)', async (t) => {
  const answers = [
    '{"name": "launch_rocket", "arguments": {}}',
    'Call it so:\n```json\n{"name": "todo_read", "arguments": {}}\n```',
  ];
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => call.answer(answers[index] ?? ''),
    one,
  );
  assert.match(await house.ask(here, 'launch'), /launch_rocket/);
  assert.match(await house.ask(here, 'how is it called?'), /todo_read/);
  assert.equal(requests.length, 2);
});

test('an empty answer is requested once more, then from the next model, and then the person gets a message (R35)', async (t) => {
  const models: unknown[] = [];
  const script = (call: RawCall): void => {
    models.push(call.body.model);
    if (models.length === 2) call.answer('Four.');
    else call.finish();
  };
  const fallbacks = [{ provider: 'openai-compatible', name: 'other' }];
  const { house } = await openScriptedHouse(t, script, { ...one, config: { model: { fallbacks } } });
  assert.equal((await house.ask(here, 'hello')).trim(), 'Four.');
  assert.match(await house.ask(here, 'hello again'), /ended without an answer/);
  assert.deepEqual(models, ['m', 'm', 'm', 'm', 'other', 'other']);
});

test('a server that restarts between two rounds of tools is asked again, and no tool is called twice (R40)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      if (index === 0) callWith(call, 'todo_write', '{"todos":[{"content":"buy milk","status":"pending"}]}');
      else if (index === 1) call.tear();
      else call.answer('Noted.');
    },
    one,
  );
  assert.match(await house.ask(here, 'note milk'), /Noted\./);
  assert.equal(requests.length, 3);
  assert.equal(sent(requests[2]).split('"role":"tool"').length - 1, 1);
});

test('formulas are shown as they were written, on every platform (R20)', async (t) => {
  const formulas = [
    '\\[ \\frac{a}{b} = \\{1,2\\} \\]',
    '$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$',
    '\\(x_1 * y_2 * z\\)',
    '$\\alpha_1 + \\beta_1$',
    '\\(a_1 \\,\n+ \\{b_1\\}\\)',
    '\\begin{align}\na &= b \\\\\n&= \\{c_1, c_2\\}\n\\end{align}',
  ];
  const { house } = await openScriptedHouse(t, (call) => {
    // in pieces, so that a preview sees each formula half
    for (const piece of `So **surely**: ${formulas.join(', and ')}.`.match(/.{1,7}/gs) ?? []) call.say(piece);
    call.finish();
  });
  for (const platform of ['discord', 'telegram', 'slack'] as const) {
    const answer = await house.ask({ platform, chat: 'dm', user: 'you' }, 'which formulas?');
    for (const formula of formulas)
      assert.ok(answer.includes(formula), `${platform}: ${formula} in ${answer}`);
    assert.doesNotMatch(answer, /\*\*surely/, `${platform}: the rest is Markdown still`);
  }
});

test('"/stop please, wrong file" stops the answer that is written, on every platform (R36)', async (t) => {
  const { house, requests } = await openScriptedHouse(t, (call) =>
    call.say('It begins, as long stories do. '),
  );
  for (const platform of ['discord', 'telegram', 'slack'] as const) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    const server = house.sandbox[platform];
    const before = requests.length;
    await server.say({ chat: 'dm', user: 'you', text: 'Tell me a story' });
    await found(`${platform}: the model is asked`, () => (requests.length > before ? true : undefined));
    const mark = platform === 'slack' ? '!' : '/';
    await server.say({ chat: 'dm', user: 'you', text: `${mark}stop please, wrong file` });
    await found(`${platform}: the end`, () => house.answers(talk).find(({ text }) => /stopped/i.test(text)));
    await found(`${platform}: nothing is under way`, () =>
      house.parley.gateway.lanes().active === 0 ? true : undefined,
    );
  }
});
