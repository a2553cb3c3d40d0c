// A start next to a command that has the home folder for a moment, and next to a Parley that runs in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockHome, type ProcessRole } from '#app/home/home-lock.ts';
import { lockHomeWhenFree } from '#app/home/home-wait.ts';
import { openStage } from './stage.ts';

for (const role of ['engine', 'channels'] satisfies ProcessRole[])
  test(`a start waits for a command that has the ${role} of the home folder for a moment`, async (t) => {
    const stage = await openStage(t, { platforms: ['telegram'] });
    const command = lockHome(stage.home, role);
    const program = stage.start();
    const early = await Promise.race([program.ended, sleep(2_000, 'waits' as const)]);
    assert.equal(early, 'waits', program.said());
    assert.doesNotMatch(program.said(), /connected/);
    command.release();
    await program.connected('telegram');
    const dm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
    await stage.say(dm, 'hello');
    await stage.answered(dm, /./);
  });

test('a second start next to a Parley that runs is refused without a wait, and the first continues', async (t) => {
  const stage = await openStage(t, { platforms: ['telegram'] });
  const first = stage.start();
  await first.connected('telegram');
  const begun = performance.now();
  await assert.rejects(lockHomeWhenFree(stage.home, 'channels'), /channels of another Parley are running/);
  const tookMs = performance.now() - begun;
  assert.ok(tookMs < 5_000, `a wait for a command is 10 s, this took ${Math.round(tookMs)} ms`);
  const second = stage.start();
  assert.equal(await second.ended, 1);
  assert.match(second.said(), /Another Parley is running with the home folder .*\n.*PARLEY_HOME/);
  const dm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await stage.say(dm, 'hello');
  await stage.answered(dm, /./);
});
