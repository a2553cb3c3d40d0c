// What the demo itself waits for: each scene a moment after its last change, counted on a clock that no load of the machine moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomsStory } from '#app/demo/rooms-story.ts';
import { createStage } from '#app/demo/stage.ts';
import { acts, type Scene } from '#app/demo/story.ts';
import { type Clock, momentOf } from '#base/clock.ts';
import type { SandboxServer, ShownMessage } from '#sandbox/contract.ts';

const scene: Scene = { platform: 'discord', chat: 'dm', user: 'you', text: 'hello' };

/** A clock that moves by what is slept on it, and by nothing else. */
function countingClock(): Clock & { sleptMs(): number } {
  let slept = 0;
  return {
    now: () => slept,
    monotonic: () => momentOf(slept),
    async sleep(ms) {
      slept += ms;
    },
    sleptMs: () => slept,
  };
}

/** A stage on which the answer stands as soon as something was said. */
function quickStage(idle?: () => Promise<boolean>) {
  const shown: ShownMessage[] = [];
  const server = {
    shown: () => shown,
    async say() {
      shown.push({ id: '1', author: 'bot', text: 'Hello.' } as ShownMessage);
    },
  } as unknown as SandboxServer;
  const clock = countingClock();
  const stage = createStage({ discord: server, telegram: server, slack: server }, idle, clock);
  return { stage, clock, shown };
}

test('an answer that stands is waited for a quarter of a second, and the whole story less than four seconds', async () => {
  const { stage, clock } = quickStage(async () => true);
  const mark = await stage.say(scene);
  assert.equal(await stage.settled(scene, () => stage.answers(scene, mark).length === 1, 30_000), true);
  assert.ok(clock.sleptMs() <= 250, `${clock.sleptMs()} ms`);
  // an act is waited for as a whole, and so are the three rooms of a scene
  const waits = acts().length + roomsStory.length;
  assert.ok(waits * clock.sleptMs() < 4_000, `${waits} waits of ${clock.sleptMs()} ms`);
});

test('a program that still works, and an answer that does not fit, are waited for, and no longer than the time given', async () => {
  let asked = 0;
  const busy = quickStage(async () => {
    asked += 1;
    return asked > 20;
  });
  await busy.stage.say(scene);
  assert.equal(await busy.stage.settled(scene, () => true, 30_000), true);
  assert.ok(busy.clock.sleptMs() >= 20 * 50, `${busy.clock.sleptMs()} ms`);
  const wrong = quickStage(async () => true);
  await wrong.stage.say(scene);
  assert.equal(await wrong.stage.settled(scene, () => false, 3_000), false);
  assert.equal(wrong.clock.sleptMs(), 3_000);
});
