// Requests over their table: what one waits for, how it ends, and what is left of it then. Second times, other kinds, clocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from '../support/manual-clock.ts';
import { ann, leaving, minute, openRequests } from './support/requests-kit.ts';

test('a call under a signal that has ended asks nobody: nothing is written and nothing is reported', async (t) => {
  const { rows, told, process, wait, clock } = openRequests(t);
  const end = new AbortController();
  end.abort(leaving);
  await assert.rejects(wait(process(), {}, end).reply, leaving);
  assert.deepEqual([rows.all(), told, clock.sleeping()], [[], [], 0]);
});

test('a request that is answered wakes its asker, and neither its timer nor its signal does anything after that', async (t) => {
  const { rows, told, process, wait, clock } = openRequests(t);
  const requests = process();
  const { reply, end, id } = wait(requests);
  assert.equal(clock.sleeping(), 1);
  requests.answer(id, 'permission', { reply: 'once', by: ann });
  assert.deepEqual(await reply, { status: 'answered', reply: 'once', by: ann });
  await settle();
  assert.equal(clock.sleeping(), 0);
  end.abort(new Error('late'));
  await clock.advance(11 * minute);
  assert.equal(rows.get(id)?.state, 'taken');
  assert.deepEqual(told, ['permission.asked', 'permission.replied answered once']);
});

test('an answer is for the call that waits: the same call asks again, in the same process and in a later one', async (t) => {
  const { rows, process, wait } = openRequests(t);
  const requests = process();
  const first = wait(requests);
  requests.answer(first.id, 'permission', { reply: 'once' });
  await first.reply;
  const second = wait(requests);
  assert.notEqual(second.id, first.id);
  assert.deepEqual(
    requests.pending('permission').map(({ id }) => id),
    [second.id],
  );
  second.end.abort(leaving);
  await assert.rejects(second.reply, leaving);
  // answered while no call waits: it waits for the one that asks again, once
  const later = process();
  later.answer(second.id, 'permission', { reply: 'once' });
  assert.equal(rows.get(second.id)?.state, 'answered');
  assert.deepEqual(await wait(later).reply, { status: 'answered', reply: 'once', by: undefined });
  assert.equal(rows.get(second.id)?.state, 'taken');
  const third = wait(later);
  assert.notEqual(third.id, second.id);
  third.end.abort(new Error('over'));
});

test('a request ends unanswered with its time, in a room earlier, and one that is asked again keeps its first time', async (t) => {
  const { rows, told, process, wait, clock } = openRequests(t);
  const requests = process();
  const direct = wait(requests);
  const room = wait(requests, { args: 1, inRoom: true });
  const question = wait(requests, { args: 2, kind: 'question', questions: [{ question: 'Why?' }] });
  const roomQuestion = wait(requests, {
    args: 3,
    kind: 'question',
    inRoom: true,
    questions: [{ question: 'Why?' }],
  });
  const ms = [direct, room, question, roomQuestion].map(
    ({ request }) => (request?.expiresAtMs ?? 0) - (request?.requestedAtMs ?? 0),
  );
  assert.deepEqual(
    ms,
    [10, 5, 60, 5].map((minutes) => minutes * minute),
  );
  await clock.advance(5 * minute - 1);
  assert.equal(requests.pending('permission').length, 2);
  await clock.advance(1);
  assert.deepEqual(await room.reply, { status: 'expired' });
  assert.deepEqual(await roomQuestion.reply, { status: 'expired' });
  assert.deepEqual(
    requests.pending('permission').map(({ id }) => id),
    [direct.id],
  );
  direct.end.abort(leaving);
  await assert.rejects(direct.reply, leaving);
  const again = wait(process(), { runID: 'run_2', messageID: 'msg_9', callID: 'call_9' });
  assert.equal(again.id, direct.id);
  assert.deepEqual(
    [again.request?.runID, again.request?.messageID, again.request?.callID],
    ['run_2', 'msg_9', 'call_9'],
  );
  await clock.advance(5 * minute);
  assert.deepEqual(await again.reply, { status: 'expired' });
  assert.equal(rows.get(direct.id)?.state, 'expired');
  assert.deepEqual(told.filter((line) => line.includes('expired')).sort(), [
    'permission.replied expired',
    'permission.replied expired',
    'question.replied expired',
  ]);
  question.end.abort(new Error('over'));
});

test('an asker that gives up ends its request, unless the request is to outlive the process', async (t) => {
  const { rows, told, process, wait, clock } = openRequests(t);
  const requests = process();
  const stays = wait(requests);
  const ends = wait(requests, { args: 1 });
  stays.end.abort(leaving);
  ends.end.abort(new Error('stopped'));
  await assert.rejects(stays.reply, leaving);
  await assert.rejects(ends.reply, { message: 'stopped' });
  await settle();
  assert.equal(clock.sleeping(), 0);
  assert.deepEqual(
    [stays, ends].map(({ id }) => rows.get(id)?.state),
    ['pending', 'dropped'],
  );
  assert.deepEqual(told.slice(2), ['permission.replied dropped']);
  assert.throws(
    () => requests.answer(ends.id, 'permission', { reply: 'once' }),
    /no longer needed: its run has ended/,
  );
  // one that was answered before its asker gave up stays answered
  const answered = wait(requests, { args: 2 });
  requests.answer(answered.id, 'permission', { reply: 'once' });
  answered.end.abort(new Error('stopped'));
  assert.equal((await answered.reply).status, 'answered');
  assert.equal(rows.get(answered.id)?.state, 'taken');
});

test('what a message’s run has asked is dropped with it, each once, with its timer; other messages wait on', async (t) => {
  const { rows, told, process, wait, clock, events } = openRequests(t);
  const requests = process();
  const own = wait(requests);
  const question = wait(requests, { kind: 'question', questions: [{ question: 'Why?' }] });
  const other = wait(requests, { userMessageID: 'msg_8' });
  const answered = wait(requests, { args: 1 });
  requests.answer(answered.id, 'permission', { reply: 'once' });
  assert.equal(clock.sleeping(), 3);
  for (let times = 0; times < 2; times += 1) events.commit((record) => requests.drop('msg_1', record));
  await settle();
  assert.equal(clock.sleeping(), 1);
  assert.deepEqual(
    [own, question, other, answered].map(({ id }) => rows.get(id)?.state),
    ['dropped', 'dropped', 'pending', 'taken'],
  );
  assert.deepEqual(told.filter((line) => line.includes('dropped')).sort(), [
    'permission.replied dropped',
    'question.replied dropped',
  ]);
  assert.throws(() => requests.answer(own.id, 'permission', { reply: 'once' }), { code: 'request_settled' });
});

test('a request is answered under its own kind, once, and again only by the same person with the same words', async (t) => {
  const { rows, told, process, wait } = openRequests(t);
  const requests = process();
  const { id } = wait(requests);
  const answer = (
    reply: string | string[] | null,
    by: typeof ann | undefined = ann,
    kind: 'permission' | 'question' = 'permission',
  ) => requests.answer(id, kind, { reply, by });
  assert.throws(() => answer('once', ann, 'question'), { code: 'request_not_found' });
  assert.throws(() => requests.answer('req_0', 'permission', { reply: 'once' }), {
    code: 'request_not_found',
  });
  assert.equal(rows.get(id)?.state, 'pending');
  const also: number[] = [];
  requests.answer(id, 'permission', { reply: 'once', by: ann, also: () => also.push(1) });
  assert.equal(answer('once').by?.name, 'Ann');
  assert.equal(also.length, 1);
  for (const attempt of [
    () => answer('reject'),
    () => answer('once', { person: 'per_2', name: 'Ben' }),
    () => requests.answer(id, 'permission', { reply: 'once' }),
  ])
    assert.throws(attempt, /This permission request was answered already by Ann/);
  assert.equal(told.filter((line) => line.includes('answered')).length, 1);
  const nobody = wait(requests, { args: 1 });
  requests.answer(nobody.id, 'permission', { reply: 'once' });
  assert.throws(() => requests.answer(nobody.id, 'permission', { reply: 'once' }), /was answered already\.$/);
});

test('a question that is refused has no answer, and one that is answered has it in its event', async (t) => {
  const { database, process, wait } = openRequests(t);
  const requests = process();
  const asked = (args: number) =>
    wait(requests, { args, kind: 'question', questions: [{ question: 'Why?' }] });
  requests.answer(asked(1).id, 'question', { reply: null });
  requests.answer(asked(2).id, 'question', { reply: ['so'] });
  const told = database
    .prepare<[], string>("SELECT properties FROM events WHERE type = 'question.replied' ORDER BY seq")
    .pluck()
    .all()
    .map((text) => JSON.parse(text));
  assert.deepEqual(
    told.map(({ ok, status, answer }) => [ok, status, answer]),
    [
      [false, 'answered', undefined],
      [true, 'answered', ['so']],
    ],
  );
});

test('a later process ends what expired in the meantime and waits for the rest, no longer than was meant when the clock went back', async (t) => {
  const { rows, process, wait, clock } = openRequests(t);
  const early = process();
  const short = wait(early, { inRoom: true });
  const long = wait(early, { args: 1 });
  for (const { end } of [short, long]) end.abort(leaving);
  await settle();
  assert.equal(clock.sleeping(), 0);
  await clock.advance(5 * minute);
  const later = process();
  later.resume();
  assert.equal(rows.get(short.id)?.state, 'expired');
  assert.equal(rows.get(long.id)?.state, 'pending');
  later.resume();
  assert.equal(clock.sleeping(), 1);
  later.close();
  await settle();
  assert.equal(clock.sleeping(), 0);
  clock.jump(-60 * minute);
  process().resume();
  await clock.advance(10 * minute);
  assert.equal(rows.get(long.id)?.state, 'expired');
});

test('an answer is judged by the time that passed here, and of an earlier process by what that wrote down', async (t) => {
  const { rows, process, wait, clock } = openRequests(t);
  const requests = process();
  const here = wait(requests);
  clock.jump(60 * minute); // set on: no time has passed
  requests.answer(here.id, 'permission', { reply: 'once' });
  assert.equal((await here.reply).status, 'answered');
  const left = wait(requests, { args: 1 });
  left.end.abort(leaving);
  await assert.rejects(left.reply, leaving);
  clock.jump(10 * minute);
  assert.throws(
    () => process().answer(left.id, 'permission', { reply: 'once' }),
    /has expired: nobody answered in time/,
  );
  assert.equal(rows.get(left.id)?.state, 'expired');
  const late = wait(requests, { args: 2 });
  await clock.advance(10 * minute - 1);
  requests.answer(late.id, 'permission', { reply: 'once' });
  assert.equal((await late.reply).status, 'answered', 'up to its last millisecond');
});

test('a request that is shown in another session says so when it is read again, and a removed session takes only its own along', async (t) => {
  const { rows, process, wait } = openRequests(t);
  const requests = process();
  const shownIn = { sessionID: 'ses_9', runID: 'run_9', requester: 'scout' };
  const shown = wait(requests, { args: 1, shownIn });
  const own = wait(requests, { args: 2, sessionID: 'ses_2' });
  assert.deepEqual(rows.get(shown.id)?.shownIn, shownIn);
  assert.equal(rows.get(own.id)?.shownIn, undefined);
  rows.removeSession('ses_2');
  assert.deepEqual(
    rows.all().map(({ id }) => id),
    [shown.id],
  );
  for (const { end } of [shown, own]) end.abort(leaving);
});
