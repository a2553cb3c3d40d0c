// How a request of a run reads in a chat, and which messages answer it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerIn, choiceFor, choiceOf, isComplete } from '#adapters/gateway/admission/request-answer.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { outcomeOf, outcomeText } from '#adapters/gateway/requests/request-outcome.ts';
import {
  argumentsText,
  askText,
  behalfText,
  choicesOf,
  elsewhereText,
  plainName,
  roomText,
  settledText,
  yesOrNoHint,
} from '#adapters/gateway/requests/request-text.ts';
import { type Address, parseAddress } from '#adapters/gateway/terms/address.ts';

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

const leaveAt = (address: Address, more: object = {}) => ({
  ...questionAt(address),
  ...permissionFor({ command: 'ls' }),
  ...more,
});

test('a request for approval names what is typed there: in a room with its id for both, in private for the approval alone', () => {
  const shown = (address: Address) => askText(leaveAt(address), { now: 0, phrases });
  const [inRoom, inPrivate] = [shown(room), shown(direct)];
  const short = /`\/approve (\S+)`/.exec(inRoom)?.[1] ?? '';
  assert.ok(short.length >= 4);
  assert.ok(inRoom.includes(`\`/deny ${short}\``));
  assert.ok(inPrivate.includes(`\`/approve ${short}\``) && inPrivate.includes('`/deny`'), inPrivate);
  assert.ok(!inPrivate.includes(`/deny ${short}`));
  assert.match(inRoom, /```json\n\{\n "command": "ls"\n\}\n```/);
  assert.match(inRoom, /1\. .*\n2\. /);
  assert.doesNotMatch(inRoom, /\n3\. /, 'a rule for every chat is not given in a chat');
  assert.match(shown(parseAddress('terminal:dm:bot:-:T:-')), /\n3\. /);
  assert.match(askText(leaveAt(room, { behalf: 'For **Ann**.' }), { now: 0, phrases }), /^For \*\*Ann\*\*\./);
});

test('the choices of a request are its buttons, numbered by what was answered before', () => {
  const ids = (asked: Parameters<typeof choicesOf>[0]) =>
    choicesOf(asked, phrases).map(({ id }) => id.replace(/^a:[^:]+/, 'a'));
  assert.deepEqual(ids(leaveAt(room)), ['a:0:0', 'a:0:1']);
  assert.deepEqual(ids(questionAt(direct, ['tea', 'coffee', 'none'])), ['a:0:0', 'a:0:1', 'a:0:2']);
  assert.deepEqual(ids(questionAt(direct)), [], 'a question that is answered with words has none');
  assert.deepEqual(
    [0, 1, 2].map((option) => choiceFor(leaveAt(room), option)),
    ['once', 'reject', undefined],
  );
  assert.equal(choiceFor(questionAt(direct, ['tea', 'coffee']), 1), 'coffee');
  assert.deepEqual(
    ['1', '2.', '3', '0', 'yes', '1)'].map((text) => answerIn(text, leaveAt(room))),
    ['once', 'reject', undefined, undefined, undefined, 'once'],
  );
});

test('of several questions each says which it is, and the request is complete with the last answer', () => {
  const of = (answers: string[]) => ({
    ...questionAt(direct),
    answers,
    request: {
      ...asked,
      kind: 'question',
      id: 'req_1',
      questions: [{ question: 'Which?' }, { question: 'When?' }],
    } as never, // as above
  });
  const shown = (answers: string[]) => askText(of(answers), { now: 0, phrases });
  assert.ok(shown([]).includes(phrases.requests.questionOf({ n: 1, of: 2, question: 'Which?' })));
  assert.ok(shown(['tea']).includes(phrases.requests.questionOf({ n: 2, of: 2, question: 'When?' })));
  assert.ok(
    askText(questionAt(direct), { now: 0, phrases }).includes(
      phrases.requests.question({ question: 'Which?' }),
    ),
  );
  assert.deepEqual(
    [isComplete(of([])), isComplete(of(['a'])), isComplete(of(['a', 'b']))],
    [false, false, true],
  );
  assert.deepEqual(
    [isComplete(leaveAt(room)), isComplete(leaveAt(room, { answers: ['once'] }))],
    [false, true],
  );
  assert.throws(() => askText(of(['a', 'b']), { now: 0, phrases }), /all 2 questions are answered/);
});

test('a settled request has what was asked and its end, of a question with the answer, cut at two hundred characters', () => {
  const settled = (more: object) => settledText(leaveAt(room, more) as never, phrases); // what is read of it
  const { outcomes } = phrases.requests;
  assert.ok(settled({ outcome: 'once' }).endsWith(`_(${outcomes.once})_`));
  assert.ok(settled({ outcome: undefined }).endsWith(`_(${outcomes.dropped})_`));
  const answered = (answer: string) =>
    settledText({ ...questionAt(direct, ['tea']), answers: [answer], outcome: 'answered' } as never, phrases);
  assert.ok(answered('green\n tea').endsWith(`_(${outcomes.answered}: green tea)_`));
  assert.match(answered('green tea'), /Which\?[\s\S]*1\. tea/);
  assert.ok(answered('x'.repeat(200)).includes('x'.repeat(200)));
  assert.ok(!answered('x'.repeat(201)).includes('x'.repeat(201)));
});

test('an end is worded with who chose it in a room, and one of an earlier version is shown unchanged', () => {
  const { requests } = phrases;
  assert.equal(outcomeOf(leaveAt(room, { answers: ['once'] }), 'Ann'), 'once:Ann');
  assert.equal(outcomeOf(leaveAt(direct, { answers: ['once'] }), 'Ann'), 'once');
  assert.equal(outcomeOf(leaveAt(room, { answers: ['reject'] })), 'reject');
  assert.equal(outcomeOf(questionAt(room), 'Ann'), 'answered');
  assert.equal(choiceOf({ answers: ['odd'] }), 'reject');
  assert.equal(
    outcomeText('once:Ann', phrases),
    requests.outcomeBy({ outcome: requests.outcomes.once, name: 'Ann' }),
  );
  assert.equal(outcomeText('expired', phrases), requests.outcomes.expired);
  for (const old of ['Ann allowed it.', 'toString', 'odd:Ann']) assert.equal(outcomeText(old, phrases), old);
});

test('a bare yes or no below a request for approval gets a hint with both commands, and other words and requests get none', () => {
  const hint = (text: string, request: object = leaveAt(room)) =>
    yesOrNoHint(text, request as never, phrases); // as above
  for (const text of ['yes', ' Ja! ', 'nope.', 'OK', 'oui'])
    assert.match(hint(text) ?? '', /\/approve \S+.*\/deny \S+/, text);
  for (const text of ['yes please', 'maybe', '', 'not now']) assert.equal(hint(text), undefined, text);
  assert.equal(hint('yes', questionAt(room)), undefined);
});

test('who asks is named without markup, and with the persons that could be meant by that name', () => {
  const { requests } = phrases;
  assert.equal(plainName('*Ann* <@1>\n[x](y)', requests), 'Ann 1 x y');
  assert.equal(plainName('***', requests), requests.someone);
  assert.equal(plainName('a'.repeat(60), requests).length, 60);
  assert.ok(plainName('a'.repeat(61), requests).length <= 60);
  const ann = { name: '_Ann_', looksLike: [] as string[] };
  const alike = { name: 'Ann', looksLike: ['Anna*'] };
  const who = '**Ann**';
  const not = requests.notThePerson({ who, names: ['Anna'] });
  assert.equal(behalfText(ann, room, phrases), requests.forRoom({ who, platform: 'discord' }));
  assert.equal(behalfText(alike, direct, phrases), requests.forPrivate({ who: not, platform: 'discord' }));
  const inRoom = (kind: 'question' | 'permission') =>
    roomText(kind, { speaker: ann, approvers: 'Ben', phrases });
  assert.equal(inRoom('question'), requests.roomQuestion({ who }));
  assert.equal(inRoom('permission'), requests.roomApproval({ who, approvers: 'Ben' }));
  const there = { tool: 'shell', who: 'Ben' };
  assert.ok(elsewhereText(there, phrases).includes(requests.approvalPending(there)));
  assert.ok(
    elsewhereText({ ...there, outcome: 'over' }, phrases).includes(
      requests.approvalSettled({ ...there, outcome: 'over' }),
    ),
  );
});

test('no text of an argument ends its block of code', () => {
  const shown = askText(leaveAt(direct, permissionFor({ text: 'a ```` b' })), { now: 0, phrases });
  assert.match(shown, /`{5}json\n[\s\S]*\n`{5}/);
  assert.ok(
    askText(leaveAt(direct, permissionFor(undefined)), { now: 0, phrases }).includes('```json\nnull\n```'),
  );
});
