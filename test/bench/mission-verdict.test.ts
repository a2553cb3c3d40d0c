// Chaos with missions passes only where each question has one end and each agent ran once, over made-up outcomes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MissionFacts, missionVerdict } from '../../bench/chaos/mission-verdict.ts';

const lane = 'dm of you';
const agent = { id: 'age_1', task: 'Find it.', status: 'completed', runs: 1, completed: 1 };
const message = { platform: 'discord', lane, text: 'The answer to q1x is here.' } as const;
const repeat = { ...message, text: `(This may be a repeat.)\n${message.text}` };
const facts: MissionFacts = {
  asked: [{ platform: 'discord', lane, token: 'q1x' }],
  existed: [message],
  ...{ agents: [agent], active: 0, unknown: 0, atRest: true, exitCode: 0 },
};
const faults = (changes: Partial<MissionFacts>): string =>
  missionVerdict({ ...facts, ...changes }).faults.join('\n');

test('a question with one answer, or one sentence that it was interrupted, passes; one without either does not (S4)', () => {
  assert.equal(faults({}), '');
  assert.equal(faults({ existed: [{ ...message, text: 'I was interrupted.' }] }), '');
  assert.match(faults({ existed: [] }), /q1x had no answer/);
  assert.match(faults({ existed: [message, message] }), /1 questions have 2 messages/);
  assert.match(
    faults({ existed: [{ ...message, lane: 'dm of guest' }] }),
    /q1x was answered, and not asked here/,
  );
  assert.match(faults({ existed: [message, { ...message, text: 'I was interrupted.' }] }), /have 2 messages/);
});

test('only Telegram may show an answer again, and only with a label where a send was unknown', () => {
  const telegram = (texts: readonly { text: string }[]) => ({
    asked: [{ platform: 'telegram', lane, token: 'q1x' } as const],
    existed: texts.map(({ text }) => ({ platform: 'telegram', lane, text }) as const),
  });
  assert.equal(faults({ ...telegram([message, repeat]), unknown: 1 }), '');
  assert.match(faults({ ...telegram([message, repeat]), unknown: 0 }), /came again/);
  assert.match(faults({ ...telegram([message, message]), unknown: 1 }), /0 are labelled/);
});

test('an agent that has not ended, ended twice or was started twice is found (S4, S10)', () => {
  assert.match(faults({ agents: [{ ...agent, status: 'running' }] }), /is an orphan/);
  assert.match(faults({ agents: [{ ...agent, completed: 2 }] }), /completed 2 times/);
  assert.match(faults({ agents: [agent, { ...agent, id: 'age_2' }] }), /1 agents were started for work/);
  assert.match(faults({ active: 1 }), /still active/);
  assert.match(faults({ atRest: false, exitCode: 1 }), /came to rest[\s\S]*code 1/);
});
