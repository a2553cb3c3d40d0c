// What a chat sees while a run works: its own text as it grows, what its agents do, and when a person is waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isOver,
  type MissionProgress,
  missionChoiceIn,
  missionChoices,
  progressAfter,
  progressOf,
  progressText,
} from '#adapters/gateway/requests/mission-progress.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { settle } from '../../support/manual-clock.ts';
import { agent, eventOf, phrases, said, stage } from './watched-run.ts';

test('the text of the run is shown from its beginning, also what came before the run was known, and no text of another run', async (t) => {
  const { watching, emit, shown } = stage(t);
  await emit(
    said('run_1', 'p1', { delta: 'The boat', offset: 0 }),
    said('run_9', 'p9', { delta: 'Other', offset: 0 }),
  );
  assert.deepEqual(shown, []);
  watching.follow('run_1', 'started');
  assert.deepEqual(shown.splice(0), ['The boat']);
  await emit(said('run_1', 'p1', { delta: ' is blue', offset: 8 }));
  await emit(said('run_9', 'p9', { delta: ' words', offset: 5 }));
  await emit(said('run_1', 'p2', { delta: 'Why?', offset: 0 }, 'reasoning'));
  await emit(said('run_1', 'p3', { delta: 'Second.' }));
  assert.deepEqual(shown.splice(0), ['The boat is blue', 'The boat is blue\n\nSecond.']);
  await emit(said('run_1', 'p1', { text: 'The boat is green.' }));
  assert.deepEqual(shown, ['The boat is green.\n\nSecond.'], 'the whole value takes the place of the pieces');
});

test('pieces after a gap are not shown until what is missing came, and nothing is shown of a run without a text', async (t) => {
  const { watching, emit, shown } = stage(t);
  watching.follow('run_1', 'started');
  assert.deepEqual(shown, []);
  await emit(said('run_1', 'p1', { delta: 'lost', offset: 4 }));
  assert.deepEqual(shown, []);
  await emit(said('run_1', 'p1', { delta: 'The boat is', offset: 0 }));
  assert.deepEqual(shown, ['The boat is']);
});

test('what a run asks is passed on in order, also what it asked before it was known, and rests the sign until it is answered', async (t) => {
  const { watching, emit, did } = stage(t);
  await emit(eventOf('permission.asked', { waits: true }), eventOf('session.updated', {}));
  assert.deepEqual(did, []);
  watching.follow('run_1', 'started');
  await settle();
  const waits = ['waiting true', 'preview rests true', 'sign rests'];
  assert.deepEqual(did.splice(0), ['run_1 permission.asked', ...waits]);
  await emit(eventOf('permission.replied', { waits: false }));
  assert.deepEqual(did.splice(0), [
    'run_1 permission.replied',
    'waiting false',
    'preview rests false',
    'sign resumes',
  ]);
  await emit(eventOf('question.asked', {}));
  assert.deepEqual(did, ['run_1 question.asked'], 'what is not about this run changes nothing');
});

test('what a run of an earlier process waits for is looked up, and that of a new one is not', async (t) => {
  const one = stage(t);
  one.watching.follow('run_1', 'started');
  await settle();
  assert.deepEqual(one.did, []);
  const other = stage(t, () => Promise.reject(new Error('no engine')));
  other.watching.follow('run_1', 'replayed');
  await settle();
  assert.deepEqual(other.did, ['pending run_1']);
  assert.match(other.lines.join(), /preview lost its events.*no engine|no engine.*preview lost its events/);
});

test('events that are lost are logged, and those that end with the turn are not', async (t) => {
  const { watching, fail, lines, stop } = stage(t);
  watching.follow('run_1', 'started');
  await fail(new Error('the connection broke'));
  assert.match(lines.join(), /preview lost its events/);
  const quiet = stage(t);
  quiet.stop.abort();
  await quiet.fail(new Error('never mind'));
  await quiet.watching.done();
  assert.deepEqual(quiet.lines, []);
  assert.equal(stop.signal.aborted, false);
});

test('what agents do is shown while they work, not that of other runs, and goes when all have ended and the answer begins', async (t) => {
  const { watching, emit, shown } = stage(t);
  await emit(agent('instance.started', 'Ann'));
  assert.deepEqual(shown, []);
  watching.follow('run_1', 'started');
  assert.equal(shown.length, 1);
  assert.match(shown.splice(0).join(), /^agents: .*Ann.*task of Ann/s);
  await emit(agent('instance.started', 'Ben', {}, 'run_9'));
  assert.deepEqual(shown, []);
  await emit(said('run_1', 'p1', { delta: 'Soon', offset: 0 }));
  assert.deepEqual(shown.splice(0), ['Soon'], 'an agent is still at work');
  await emit(agent('budget.usage', 'Nobody', { usage: { tokens: 5 } }));
  assert.deepEqual(shown, [], 'nothing has changed');
  await emit(agent('instance.completed', 'Ann', { status: 'completed', usage: { tokens: 7 } }));
  assert.equal(shown.splice(0).length, 1);
  await emit(said('run_1', 'p1', { delta: '.', offset: 4 }));
  assert.deepEqual(shown, ['no agents', 'Soon.']);
});

const after = (...events: EngineEvent[]): MissionProgress | undefined =>
  events.reduce<MissionProgress | undefined>((before, event) => progressAfter(before, event), undefined);

test('the progress of a mission has each agent once, in the order in which they began, with what they used', () => {
  const made = after(
    agent('instance.started', 'Ann', { status: 'queued' }),
    agent('instance.started', 'Ben'),
    agent('budget.usage', 'Ann', { usage: { tokens: 5, cost_usd: 0.25 } }),
    agent('instance.failed', 'Ben', { status: 'failed', usage: { tokens: 2, cost_usd: 0.5 } }),
    agent('instance.cancelled', 'Cid', { status: 'cancelled', usage: { tokens: 1, cost_usd: 0 } }),
  );
  assert.deepEqual(
    [...(made?.agents ?? [])].map(([id, { task, status, usage }]) => [id, task, status, usage?.tokens]),
    [
      ['Ann', 'task of Ann', 'queued', 5],
      ['Ben', 'task of Ben', 'failed', 2],
      ['Cid', '', 'cancelled', 1],
    ],
  );
  const other = progressAfter(made, agent('instance.started', 'Dan', { missionID: 'mis_2' }));
  assert.deepEqual(
    [other?.missionID, [...(other?.agents.keys() ?? [])]],
    ['mis_2', ['Dan']],
    'another mission begins without agents',
  );
  assert.equal(progressAfter(made, eventOf('session.updated', {})), made);
  assert.deepEqual(
    [made, after(agent('instance.completed', 'Ann', { status: 'completed' }))].map(
      (each) => each && isOver(each),
    ),
    [false, true],
  );
  assert.equal(isOver(after(agent('instance.started', 'Ann')) as MissionProgress), false);
});

test('the message has twelve agents at most, their tasks in one short line, how many are done, and a cost where all have one', () => {
  const { missions: say } = phrases;
  const names = Array.from({ length: 14 }, (_, n) => `A${n}`);
  const of = (count: number) =>
    progressOf({
      missionID: 'mis_1',
      instances: names.slice(0, count).map((name, n) => ({
        ...{ instanceID: name, display_name: name, task: `${name}\n ${'x'.repeat(200)}` },
        ...{ status: n === 0 ? 'completed' : 'running', usage: { tokens: 10, cost_usd: 0.5 } },
      })),
    } as never); // what is read of a mission
  const twelve = progressText(of(12), phrases);
  assert.ok(twelve.startsWith(say.progress({ done: 1, of: 12 })));
  assert.ok(twelve.includes('A11') && !twelve.includes(say.moreAgents({ n: 1 })));
  assert.ok(twelve.endsWith(say.soFar({ tokens: 120, cost: 6 })));
  assert.ok(twelve.split('\n').every((line) => line.length < 200));
  const more = progressText(of(14), phrases);
  assert.ok(more.includes(say.moreAgents({ n: 2 })) && !more.includes('A12'));
  const unpriced = after(
    agent('instance.completed', 'Ann', { status: 'completed', usage: { tokens: 3, cost_usd: 1 } }),
    agent('instance.completed', 'Ben', { status: 'completed', usage: { tokens: 4 } }),
  ) as MissionProgress;
  assert.ok(progressText(unpriced, phrases).endsWith(say.soFar({ tokens: 7, cost: undefined })));
  const odd = after(agent('instance.started', '*Ann*', { task: 'a `b`' })) as MissionProgress;
  assert.ok(!progressText(odd, phrases).includes('*Ann*'), 'no name is markup');
});

test('the button of a mission stops that mission, and no other button does', () => {
  const [button] = missionChoices('mis_1a', phrases);
  assert.deepEqual(button, { id: 'm:mis_1a:stop', label: phrases.missions.stop });
  assert.equal(missionChoiceIn('m:mis_1a:stop'), 'mis_1a');
  for (const other of ['m:mis_1a:go', 'm:x:stop', 'a:req:0:1', ''])
    assert.equal(missionChoiceIn(other), undefined);
});
