// What answers in progress cost of the platforms' limits, over each real client library, on a clock that the test moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import type { SandboxChat } from '#sandbox/contract.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { stage } from '../adapters/gateway/live-stage.ts';
import { quietLog } from '../support/quiet-log.ts';
import { type Platform, platforms, stageOn } from './platforms.ts';

/** A chat where answers in progress are posted and edited. */
const editedIn: Readonly<Record<Platform['name'], SandboxChat>> = {
  discord: 'dm',
  telegram: 'room',
  slack: 'dm',
};
const changing = /chat\.(?:update|postMessage)|editMessageText|sendMessage$|^(?:PATCH|POST) .*\/messages/;

for (const platform of platforms) {
  test(`${platform.name}: an answer that its preview shows whole is neither sent nor edited again, and no call is refused`, async (t) => {
    const { sandbox, engine, ask, until, pass, answers } = await stageOn(
      t,
      platform,
      editedIn[platform.name],
    );
    const run = await ask('hello');
    engine.say(run, 'It is **sun');
    await until('the preview', () => answers().length > 0);
    engine.say(run, 'ny**.');
    await until('the rest', () => answers()[0]?.text.trim() === 'It is sunny.');
    const calls = sandbox.calls().length;
    engine.complete(run, 'It is **sunny**.');
    await until('the hand-over', () => engine.deliveries.length > 0);
    await pass(10_000);
    const after = sandbox.calls().slice(calls);
    assert.deepEqual(
      after.filter(({ name }) => changing.test(name)),
      [],
    );
    assert.deepEqual(
      engine.deliveries[0]?.nativeIDs,
      answers().map(({ id }) => id),
    );
    assert.ok(sandbox.calls().every(({ status }) => status < 400));
  });
}

const people = 12;

test('slack: twelve direct messages that stream for a minute share the workspace’s fifty edits; none is refused, and all end whole', async (t) => {
  const { sandbox, engine, clock, until } = await stage(t, {
    chat: 'dm',
    async open(clock) {
      const sandbox = await createSlackSandbox({ clock, users: people });
      const { url: apiUrl, tokens } = sandbox;
      const { log } = quietLog();
      const channel = createSlackChannel({ botToken: tokens.bot, appToken: tokens.app, apiUrl, clock, log });
      return { sandbox, channel };
    },
  });
  const edits = new Map<number, number>();
  const shown = new Map<number, string>();
  sandbox.users.onAnswer(({ kind, person, text }) => {
    if (kind === 'edited') edits.set(person, (edits.get(person) ?? 0) + 1);
    shown.set(person, text);
  });
  for (let person = 0; person < people; person += 1) sandbox.users.say(person, 'hello');
  await until('all runs', () => engine.runs.length === people);
  const from = clock.now();
  for (let piece = 0; clock.now() - from < 60_000; piece += 1) {
    for (const { run } of engine.runs) engine.say(run.runID, `word${piece} `);
    for (let step = 0; step < 5; step += 1) {
      await clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const counts = [...edits.values()];
  assert.equal(counts.length, people);
  assert.ok(Math.min(...counts) >= 2 && Math.max(...counts) <= 5, `edits of each chat: ${counts.join()}`);
  for (const { run } of engine.runs) engine.complete(run.runID, `${run.text}and the end`);
  await until('all answers', () => engine.deliveries.length === people);
  for (const text of shown.values()) assert.match(text, /and the end$/);
  assert.deepEqual(
    sandbox.calls().filter(({ status }) => status === 429),
    [],
  );
});
