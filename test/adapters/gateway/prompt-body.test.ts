// A batch of messages as one prompt: what the model reads of each, what is marked as quoted, and what was chosen for the chat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { promptBodyOf } from '#adapters/gateway/turn-prompt/prompt-body.ts';

const address = parseAddress('discord:channel:bot:G:C:-');
const minute = 60_000;

const rowOf = (nativeID: string, event: Partial<MessageEvent> = {}, row: Partial<InboxRow> = {}): InboxRow =>
  ({
    ...{ id: `inb_${nativeID}`, lane: 'lane', person: 'per_1', address, writtenAt: 1_000, receivedAt: 1_000 },
    event: {
      nativeID,
      actor: { id: 'u1', name: 'Ann', isBot: false },
      text: `text of ${nativeID}`,
      files: [],
      ...event,
    },
    ...row,
  }) as InboxRow; // the fields that a prompt is made of

type From = Parameters<typeof promptBodyOf>[1];
const plain: From = {
  place: { audience: 'room:discord:channel:bot:G:C:-', space: 'discord:bot:G', restricted: false },
  recallable: { reach: { audiences: ['person:per_1'], spaces: ['s'] }, outsiders: false },
  corrections: [],
  settings: {},
  profile: { memory: 'shared' },
  earlier: [],
  roomContext: [],
  files: new Map(),
} as unknown as From; // as the turn gives it

const bodyOf = (rows: readonly [InboxRow, ...InboxRow[]], from: Partial<From> = {}) =>
  promptBodyOf(rows, { ...plain, ...from });
const partsOf = (row: InboxRow, from: Partial<From> = {}): [string | undefined, string | undefined][] =>
  bodyOf([row], from).parts.map((part) => [
    part.type === 'text' ? part.text : `file ${part.url}`,
    'nativeID' in part ? part.nativeID : undefined,
  ]);
const textOf = (event: Partial<MessageEvent>, row: Partial<InboxRow> = {}): string =>
  partsOf(rowOf('m1', event, row))
    .map(([text]) => text)
    .join('\n--\n');

test('a batch is one prompt: a part for each message under its own id, said by the first person at the first time', () => {
  const again = rowOf('m2', { retryOf: 'm0' }, { writtenAt: 2_000, receivedAt: 2_000 });
  const body = bodyOf([rowOf('m1'), again]);
  assert.deepEqual(body, {
    parts: [
      { type: 'text', text: 'text of m1', nativeID: 'm1' },
      { type: 'text', text: 'text of m2', nativeID: 'm0' },
    ],
    canAsk: true,
    origin: {
      ...{ platform: 'discord', chat: 'discord:channel:bot:G:C:-', kind: 'channel' },
      ...{ audience: 'room:discord:channel:bot:G:C:-', space: 'discord:bot:G', restricted: false },
      speaker: { person: 'per_1', name: 'Ann' },
      ...{ reach: { audiences: ['person:per_1'], spaces: ['s'] }, outsiders: false },
      ...{ nativeIDs: ['m1', 'm0'], at: 1_000 },
    },
  });
});

test('what was chosen for the chat goes along: model, agent, voice and tools, and nothing that was not chosen', () => {
  const bare = bodyOf([rowOf('m1')]);
  for (const key of ['model', 'agent', 'settings', 'toolAllowlist', 'roomContext'])
    assert.ok(!(key in bare), key);
  const chosen = bodyOf([rowOf('m1')], {
    settings: { model: 'large', voice: true },
    assistant: 'scout',
    profile: { memory: 'shared', tools: ['todo_*'] },
    roomContext: ['[said in this room]'],
  });
  assert.deepEqual(chosen.model, { modelID: 'large' });
  assert.deepEqual(
    [chosen.agent, chosen.settings, chosen.toolAllowlist],
    ['scout', { spoken: true }, ['todo_*']],
  );
  assert.deepEqual(chosen.roomContext, ['[said in this room]']);
});

test('a chat that remembers only itself is restricted, has no space, and reaches nothing', () => {
  const { origin } = bodyOf([rowOf('m1')], { profile: { memory: 'chat-only' } });
  assert.deepEqual(
    [origin?.restricted, origin?.space, origin?.reach, origin?.outsiders],
    [true, undefined, { audiences: [], spaces: [] }, true],
  );
  const closed = bodyOf([rowOf('m1')], { place: { ...plain.place, space: undefined, restricted: true } });
  assert.deepEqual([closed.origin?.restricted, 'space' in (closed.origin ?? {})], [true, false]);
});

test('what a message answers is a separate part under the id of that message, and what a person passes on is theirs', () => {
  const quoted = { nativeID: 'q1', text: 'The key is red.', author: 'Ben', fromBot: false };
  assert.deepEqual(partsOf(rowOf('m1', { quoted })), [
    ['[in reply to a message of Ben: "The key is red."]', 'q1'],
    ['text of m1', 'm1'],
  ]);
  assert.match(textOf({ quoted: { ...quoted, author: undefined } }), /a message of someone/);
  assert.match(textOf({ quoted: { ...quoted, fromBot: true } }), /^\[in reply to your message: /);
  assert.deepEqual(partsOf(rowOf('m1', { quoted: { ...quoted, nativeID: '' } }))[0]?.[1], 'm1');
  assert.deepEqual(partsOf(rowOf('m1', { quoted: { ...quoted, forwarded: true } })), [
    ['[forwarded a message of Ben: "The key is red."]\ntext of m1', 'm1'],
  ]);
  for (const text of [undefined, '', '  '])
    assert.deepEqual(partsOf(rowOf('m1', { quoted: { ...quoted, text } })), [['text of m1', 'm1']]);
});

test('a late message has its time, a scheduled one says that it was, and what a program sent is marked as data', () => {
  const late = { writtenAt: 0, receivedAt: 5 * minute + 1 };
  assert.match(textOf({}, late), /^\[received late, written at 1970-01-01 00:00 UTC\]\ntext of m1$/);
  assert.equal(textOf({}, { writtenAt: 0, receivedAt: 5 * minute }), 'text of m1');
  assert.match(textOf({ due: { by: 'schedule' } as never }), /^\[scheduled earlier, due now\]\ntext of m1$/);
  assert.match(
    textOf({ due: { by: 'hook', name: 'ci' } as never }),
    /^\[sent by a program through the webhook ci;.*"text of m1"\]$/,
  );
});

test('a deleted message says so and nothing else, and one without words that it is empty', () => {
  const quoted = { nativeID: 'q1', text: 'The key is red.', author: 'Ben', fromBot: false };
  assert.deepEqual(partsOf(rowOf('m1', { quoted }, { deletedAt: 5 })), [['[deleted by its author]', 'm1']]);
  assert.equal(textOf({ text: '  ' }), '[an empty message]');
});

test('long words are cut: of a message at 100,000 characters, a forward 20,000, a quotation and what is shared 4,000', () => {
  const x = (length: number) => 'x'.repeat(length);
  const length = (text: string): number => [...text.matchAll(/x/g)].length;
  assert.equal(length(textOf({ text: x(100_000) })), 100_000);
  assert.ok(length(textOf({ text: x(100_001) })) < 100_001);
  const quoted = (text: string, more: object = {}) => ({
    text: '.',
    quoted: { nativeID: 'q1', text, author: 'Ben', fromBot: false, ...more },
  });
  assert.equal(length(textOf(quoted(x(4_000)))), 4_000);
  assert.ok(length(textOf(quoted(x(4_001)))) < 4_001);
  assert.equal(length(textOf(quoted(x(20_000), { forwarded: true }))), 20_000);
  assert.ok(length(textOf(quoted(x(20_001), { forwarded: true }))) < 20_001);
  assert.equal(length(textOf({ text: '.', shared: [x(4_000)] })), 4_000);
  assert.ok(length(textOf({ text: '.', shared: [x(4_001)] })) < 4_001);
  const shared = Array.from({ length: 12 }, (_, n) => `poll ${n}.`);
  const told = textOf({ text: '.', shared });
  assert.ok(told.includes('poll 9.') && !told.includes('poll 10.'), 'ten of what is shared');
});

test('of corrections the newest ten go along as one part before the messages', () => {
  const corrections = Array.from({ length: 12 }, (_, n) => ({ author: `Ann${n}` })) as From['corrections']; // what is read
  const [first, second] = partsOf(rowOf('m1'), { corrections });
  const lines = first?.[0]?.split('\n') ?? [];
  assert.deepEqual([lines.length, /Ann2 /.test(lines[0] ?? ''), second?.[0]], [10, true, 'text of m1']);
  assert.equal(partsOf(rowOf('m1')).length, 1);
});

test('files are named in the text of their message and shown behind it, those of a quotation under its id, those of the thread last', () => {
  const shown = (name: string) => ({
    note: `[sent a file ${name}]`,
    part: { type: 'file', mime: 'image/png', filename: name, url: `upload:${name}` } as const,
  });
  const quoted = { nativeID: 'q1', text: 'Look.', author: 'Ben', fromBot: false };
  const files = new Map([
    [
      'inb_m1',
      {
        own: [shown('a'), { note: '[sent a file b]' }, { note: '[voice]', spoken: 'Hello there.' }],
        quoted: [shown('q')],
      },
    ],
  ]);
  const earlier = [{ nativeID: 'e1', note: '[earlier: hi]', attached: [shown('e')] }];
  assert.deepEqual(partsOf(rowOf('m1', { quoted }), { files, earlier }), [
    ['[earlier: hi]\n[sent a file e]', 'e1'],
    ['[in reply to a message of Ben: "Look."]\n[sent a file q]', 'q1'],
    ['text of m1\nHello there.\n[sent a file a]\n[sent a file b]\n[voice]', 'm1'],
    ['file upload:a', 'm1'],
    ['file upload:q', 'q1'],
    ['file upload:e', 'e1'],
  ]);
});
