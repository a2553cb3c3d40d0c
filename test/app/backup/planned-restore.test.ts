// A restore that is planned while the program runs: the next start carries it out, also after a kill, or says why not.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plannedRestore } from '#app/backup/planned-restore.ts';
import { unfinishedRestore } from '#app/home/home-lock.ts';
import type { RestoreState } from '#engine/wire/operator/operator.ts';
import { found } from '../../support/found.ts';
import { openStage, type Program } from '../stage.ts';

const dm = { platform: 'slack', chat: 'dm', user: 'you' } as const;

/** Calls the route, and waits until what it began is over. */
async function settled(program: Program, path: string, folder: string): Promise<RestoreState> {
  assert.equal((await program.send('POST', path, { folder })).status, 200);
  return found(`the end of ${path}`, async () => {
    const now = (await program.get(path)) as RestoreState; // as the route's schema has it
    return ['done', 'planned', 'failed'].includes(now.state) ? now : undefined;
  });
}

test('a start restores what was planned, also after a kill in the middle of it, and says why where it cannot', async (t) => {
  const stage = await openStage(t, { platforms: ['slack'] });
  const { home } = stage;
  const backup = join(stage.folder, 'parley-backups', 'one');
  const texts = async (program: Program): Promise<string> => {
    const [session] = (await program.get('/session')) as { id: string }[]; // the only one
    return JSON.stringify(await program.get(`/session/${session?.id}/message`));
  };
  const start = async (): Promise<Program> => {
    const program = stage.start();
    await program.connected('slack');
    return program;
  };
  const stop = async (program: Program): Promise<void> => {
    program.signal('SIGTERM');
    assert.equal(await program.ended, 0);
  };

  const first = await start();
  await stage.say(dm, 'My bicycle is green.');
  await found('the answer', () => (stage.answers(dm).length === 1 ? true : undefined));
  assert.equal((await settled(first, '/backup', backup)).state, 'done');
  const boat = await stage.say(dm, 'My boat is blue.');
  await found('the answer', () => (stage.answers(dm).length === 2 ? true : undefined));
  const planned = await settled(first, '/restore', backup);
  assert.deepEqual([planned.state, planned.found.map(({ folder }) => folder)], ['planned', [backup]]);
  assert.match(await texts(first), /boat/, 'until then nothing changes');
  first.signal('SIGKILL');
  await first.ended;
  await stage.sandbox.slack.deleteMessage(boat); // a message that Slack still lists is accepted again, and answered
  writeFileSync(join(home, unfinishedRestore), `${backup}\n`); // as a kill in the middle of the exchange leaves it
  rmSync(join(home, 'engine.sqlite'));

  const second = await start();
  assert.match(second.said(), /is as it was at .* UTC: 3 databases/);
  assert.match(second.said(), /What was there before is in .*replaced-/);
  assert.ok(readdirSync(home).some((name) => name.startsWith('replaced-')));
  assert.ok(!existsSync(join(home, unfinishedRestore)));
  const history = await texts(second);
  assert.match(history, /bicycle/);
  assert.doesNotMatch(history, /boat/);
  assert.equal(plannedRestore(home)?.state, 'done');

  await settled(second, '/restore', backup);
  appendFileSync(join(backup, 'engine.sqlite'), 'x');
  await stop(second);
  const third = await start();
  assert.match(third.said(), /WARNING: The planned restore did not happen\. .*engine\.sqlite.* bytes, not/);
  const failed = (await third.get('/restore')) as RestoreState;
  assert.deepEqual([failed.state, failed.found.length], ['failed', 1]);
  assert.match(failed.error ?? '', /engine\.sqlite/);
  assert.match(await texts(third), /bicycle/, 'what was there is there');
  await stop(third);
  const fourth = await start();
  assert.doesNotMatch(fourth.said(), /restore/i, 'it is tried once');
  await stop(fourth);
});
