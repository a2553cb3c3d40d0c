// The doctor and the status on teams that run: what is at work, and what is in the way with a hint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { teamRemarks } from '#app/doctor/running.ts';
import { teamFact } from '#app/screen/team-words.ts';

const well = { missions: 2, running: 3, queued: 1, approvals: 0, unusable: null };
const remarks = (standing: Parameters<typeof teamRemarks>[0]) =>
  teamRemarks(standing).map(({ level, what }) => `${level}: ${what}`);

test('agents that work are counted, and there is no line where there are no teams', () => {
  assert.deepEqual(remarks(undefined), []);
  assert.deepEqual(remarks({ ...well, missions: 0, running: 0, queued: 0 }), []);
  assert.deepEqual(remarks(well), ['ok: Agent teams: 2 active missions, 3 agents run, 1 about to.']);
  assert.equal(
    teamFact({ missions: 1, running: 1, queued: 0, approvals: 2, unusable: null }),
    '1 active mission, 1 agent runs, 2 wait for approval',
  );
});

test('a policy that cannot be used and agents that wait for approval are named, with what to do', () => {
  const wrong = { ...well, missions: 0, approvals: 1, unusable: 'There is no spawn policy at /p.yaml.' };
  assert.deepEqual(remarks(wrong), [
    'warning: No agent is started. There is no spawn policy at /p.yaml.',
    'warning: 1 agent waits for approval.',
  ]);
  for (const remark of teamRemarks(wrong))
    assert.match('hint' in remark ? String(remark.hint) : '', /reads it again|agent-team\/approvals/);
});
