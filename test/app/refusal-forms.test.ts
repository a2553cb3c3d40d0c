// The forms in which servers refuse: other letters, other statuses, in answers that say 200, in streams, cut off, in words that nobody has read before.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import { png } from '../adapters/uploads/samples.ts';
import type { RawCall } from '../engine/support/raw-provider.ts';
import type { House } from './house.ts';
import { hasPicture, openScriptedHouse, sent } from './model-house.ts';

/** How a server says no, whatever it says. */
const forms: Record<string, (call: RawCall, words: string) => void> = {
  'an object with a message': (call, words) => call.refuse(400, { error: { message: words } }),
  'a text as error': (call, words) => call.refuse(400, { error: words }),
  'a detail': (call, words) => call.refuse(422, { detail: words }),
  'a list of details': (call, words) => call.refuse(422, { detail: [{ loc: ['body'], msg: words }] }),
  'a message of the object error': (call, words) =>
    call.refuse(400, { object: 'error', message: words, type: 'BadRequestError', code: 400 }),
  'all capitals': (call, words) => call.refuse(400, { error: { message: words.toUpperCase() } }),
  'plain text': (call, words) => call.send(400, words, 'text/plain'),
  'a page': (call, words) => call.send(400, `<html><body><h1>${words}</h1></body></html>`, 'text/html'),
  'JSON that is cut': (call, words) => call.send(400, `{"error":{"message":"${words}`, 'application/json'),
  'status 500': (call, words) => call.refuse(500, { error: { message: words } }),
  'status 405': (call, words) => call.refuse(405, { error: { message: words } }),
  'status 403': (call, words) => call.refuse(403, { error: { message: words } }),
  'status 503': (call, words) => call.refuse(503, { error: { message: words } }),
  'an error of the proxy around that of the server': (call, words) =>
    call.refuse(400, {
      error: {
        message: 'Provider returned error',
        metadata: { raw: JSON.stringify({ error: { message: words } }) },
      },
    }),
  'status 200': (call, words) => call.refuse(200, { error: { message: words, code: 400 } }),
  'status 200 without a code': (call, words) => call.refuse(200, { error: words }),
  'status 200 with a code in words': (call, words) =>
    call.refuse(200, { error: { message: words, code: 'invalid_request', type: 'invalid_request_error' } }),
  'status 200 and the object error': (call, words) =>
    call.refuse(200, { object: 'error', message: words, code: 400 }),
  'status 200 and a detail': (call, words) => call.refuse(200, { detail: words }),
  'status 200 and JSON that is cut': (call, words) =>
    call.send(200, `{"error":{"message":"${words}`, 'application/json'),
  'status 200 and plain text': (call, words) => call.send(200, `error: ${words}`, 'text/plain'),
  'status 200 and JSON under another name': (call, words) =>
    call.send(200, JSON.stringify({ error: { message: words } }), 'text/plain'),
  'an event': (call, words) => {
    call.write(`data: ${JSON.stringify({ error: { message: words, code: 400 } })}\n\ndata: [DONE]\n\n`);
    call.end();
  },
  'an event whose error is a text': (call, words) => {
    call.write(`data: ${JSON.stringify({ error: words })}\n\n`);
    call.end();
  },
  'an event with the object error': (call, words) => {
    call.write(`data: ${JSON.stringify({ object: 'error', message: words, code: 400 })}\n\ndata: [DONE]\n\n`);
    call.end();
  },
  'an event with the name error': (call, words) => {
    call.write(`event: error\ndata: ${JSON.stringify({ message: words, code: 400 })}\n\n`);
    call.end();
  },
  'an event beside choices': (call, words) => {
    call.write(
      `: OPENROUTER PROCESSING\n\ndata: ${JSON.stringify({ choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }], error: { message: words, code: 400 } })}\n\ndata: [DONE]\n\n`,
    );
    call.end();
  },
  'an event that is cut': (call, words) => {
    call.write(`data: {"error":{"message":"${words}`);
    call.end();
  },
};

const offersTools = (body: RawCall['body']): boolean => 'tools' in body;
const isLong = (body: RawCall['body']): boolean => sent(body).length > 30_000;
const hasSecond = (body: RawCall['body']): boolean => sent(body).includes('pumpernickel');
const unknown = 'Ungültige Eingabe (E-1017).';
/** What is refused, in which words, and what the person reads of it beside the answer. */
const kinds = {
  pictures: {
    refuses: hasPicture,
    words: 'This model does not support image inputs.',
    says: /cannot see pictures/,
  },
  'a picture': { refuses: hasPicture, words: 'Failed to decode image.', says: /cannot read/ },
  tools: { refuses: offersTools, words: 'Tools are not supported by this model.', says: /^Four\.\s*$/ },
  'the length': {
    refuses: isLong,
    words: 'The prompt is too long for the context window of this model.',
    says: /^Four\.\s*$/,
  },
  'a picture in words that nobody knows': { refuses: hasPicture, words: unknown, says: /cannot read/ },
  'tools in words that nobody knows': { refuses: offersTools, words: unknown, says: /^Four\.\s*$/ },
  'pictures in Chinese': {
    refuses: hasPicture,
    words: '当前模型不支持图片输入',
    says: /cannot see pictures/,
  },
  'tools in Chinese': { refuses: offersTools, words: '当前模型不支持工具调用', says: /^Four\.\s*$/ },
  'the length in Chinese': { refuses: isLong, words: '输入长度超过模型限制', says: /^Four\.\s*$/ },
} as const;
/** What form words have is read before anyone reads them: for one kind all forms are tried, for the others these. */
const fewForms = [
  'an object with a message',
  'plain text',
  'JSON that is cut',
  'status 500',
  'status 200 and the object error',
  'an event with the object error',
];

const long = { name: 'notes.txt', mime: 'text/plain', bytes: Buffer.from('lorem ipsum '.repeat(2_000)) };

const dm = { chat: 'dm', user: 'you' } as const;
const platforms = ['discord', 'telegram', 'slack'] as const;

for (const [kind, { refuses, words, says }] of Object.entries(kinds))
  test(`${kind}: refused in any form, the message is answered, and so is the next (R1 to R6)`, async (t) => {
    let form: (call: RawCall, words: string) => void = () => {};
    let isRefusing = false;
    const { house } = await openScriptedHouse(t, (call) => {
      if (isRefusing && refuses(call.body)) form(call, words);
      else call.answer('Four.');
    });
    const client = clientOf(house);
    const failed: string[] = [];
    for (const [index, [name, say]] of Object.entries(forms).entries()) {
      if (kind !== 'pictures' && !fewForms.includes(name)) continue;
      const here = { platform: platforms[index % 3] ?? 'slack', ...dm };
      form = say;
      await client.providers.forgetLearned();
      isRefusing = false;
      await house.ask(here, ' /new');
      if (kind.startsWith('the length')) await house.ask(here, 'keep this', [long]);
      isRefusing = true;
      const files = kind.includes('picture')
        ? [{ name: 'shot.png', mime: 'image/png', bytes: png(3 + index) }]
        : [];
      const answer = await house.ask(here, `what is this ${index}?`, files);
      const next = await house.ask(here, 'and 2+2?');
      if (!answer.startsWith('Four.') || !says.test(answer) || !next.startsWith('Four.'))
        failed.push(`${name}: ${answer} | ${next}`);
    }
    assert.deepEqual(failed, []);
  });

test('a message that a provider does not want to read is refused once: the next one is answered without it, and says so', async (t) => {
  let refused: [number, object] = [400, {}];
  const { house } = await openScriptedHouse(t, (call) => {
    if (hasSecond(call.body)) call.refuse(...refused);
    else call.answer('Four.');
  });
  const failed: string[] = [];
  for (const [index, [name, withheld, ...answer]] of contentRefusals.entries()) {
    const here = { platform: platforms[index % 3] ?? 'slack', ...dm };
    refused = answer;
    await house.ask(here, ' /new');
    const first = await house.ask(here, 'pumpernickel');
    const next = await house.ask(here, 'and 2+2?');
    await house.ask(here, ' /new');
    const last = await house.ask(here, 'and 3+3?');
    const isRight =
      (withheld ? /withheld the answer/ : /did not accept|has a problem/).test(first) &&
      /^Four\.[\s\S]*refused what was said before, so I answered this message alone/.test(next) &&
      last.trim() === 'Four.';
    if (!isRight) failed.push(`${name}: ${first} | ${next} | ${last}`);
  }
  assert.deepEqual(failed, []);
});

/** Whether the person is to read that it was withheld, and how a server says so. */
const contentRefusals: [string, boolean, number, object][] = [
  [
    'Azure',
    true,
    400,
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        code: 'content_filter',
        status: 400,
      },
    },
  ],
  [
    'OpenRouter',
    true,
    403,
    {
      error: {
        message: 'vendor/m requires moderation on Vendor. Your input was flagged for "violence".',
        code: 403,
        metadata: { reasons: ['violence'], flagged_input: 'pump...' },
      },
    },
  ],
  [
    'DashScope',
    true,
    400,
    { error: { code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' } },
  ],
  ['DeepSeek', true, 400, { error: { message: 'Content Exists Risk', code: 'invalid_request_error' } }],
  ['a template that fails', false, 500, { error: { message: 'Value is not callable: null at row 3' } }],
  ['no reason at all', false, 422, {}],
];

function clientOf(house: House) {
  const token = readFileSync(house.parley.tokenFile ?? '', 'utf8').trim();
  return createClient({ baseUrl: house.parley.url, token });
}
