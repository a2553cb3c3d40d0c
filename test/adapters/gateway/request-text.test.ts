// How a request of a run reads in a chat, and which messages answer it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, parseAddress } from '#adapters/gateway/address.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { answerIn } from '#adapters/gateway/requests/request-answer.ts';
import { argumentsText, askText } from '#adapters/gateway/requests/request-text.ts';

const phrases = phrasesFor('en');
const direct = parseAddress('discord:dm:bot:-:C:-');
const room = parseAddress('discord:channel:bot:G:C:-');
const asked = { sessionID: 'ses_1', runID: 'run_1', requestedAtMs: 0, expiresAtMs: 600_000 };

const questionAt = (address: Address, options?: string[]) => ({
  id: 'req_0000000000000000000000000a',
  address,
  answers: [],
  behalf: undefined,
  request: { ...asked, kind: 'question', id: 'req_1', questions: [{ question: 'Which?', options }] } as never, // the fields that are read
});
const permissionFor = (args: unknown) => ({
  request: { ...asked, kind: 'permission', requestID: 'req_1', agent: 'main', tool: 'shell', args } as never, // the fields that are read
});

test('a question says in a room how one answers there, and in a direct message whether by number or by message', () => {
  const { requests } = phrases;
  const ms = 600_000;
  const shown = (address: Address, options?: string[]): string =>
    askText(questionAt(address, options), { now: 0, phrases });
  assert.ok(shown(room).includes(requests.answerInRoom({ ms })));
  assert.ok(shown(room, ['a', 'b']).includes(requests.answerInRoom({ ms })));
  assert.ok(shown(direct).includes(requests.answerNext({ ms })));
  assert.ok(shown(direct, ['a', 'b']).includes(requests.answerByNumber({ ms })));
  assert.ok(!shown(direct).includes(requests.answerInRoom({ ms })));
});

test('an answer to a question is one of its options by number, or the words, of which the engine takes 10,000 characters', () => {
  const open = questionAt(direct, ['tea', 'coffee']);
  assert.equal(answerIn(' 2. ', open), 'coffee');
  assert.equal(answerIn('3', open), '3');
  assert.equal(answerIn('0', open), '0');
  assert.equal(answerIn('  ', open), undefined);
  assert.equal(answerIn('x'.repeat(10_000), open)?.length, 10_000);
  assert.equal(answerIn('x'.repeat(12_000), open)?.length, 10_000);
});

test('long arguments are shown in a message before the request, cut at 20,000 characters, with how many are left out', () => {
  const { requests } = phrases;
  const text = (length: number): string | undefined =>
    argumentsText(permissionFor('x'.repeat(length)), phrases);
  assert.equal(text(998), undefined, 'with its quotes it has 1,000 characters');
  assert.match(text(999) ?? '', /x{999}/);
  const whole = text(19_998) ?? '';
  assert.match(whole, /"x{19998}"/);
  assert.ok(!whole.includes(requests.leftOut({ n: 1 })) && whole.endsWith('```'), 'nothing is left out');
  const cut = text(19_999) ?? '';
  assert.ok(cut.includes(requests.leftOut({ n: 1 })));
  assert.doesNotMatch(cut, /"x{19999}"/);
});
