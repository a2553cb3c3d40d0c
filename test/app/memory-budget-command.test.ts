// Budgets of memory at the command line and in a running Parley: shown, and memory brought back within them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createBudgetSchedule } from '#engine/distillation/budget-schedule.ts';
import { createMemory } from '#memory/memory.ts';
import { until } from '../support/found.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

test('records are put with a key, a tag and a pin, listed by them, reported on and forgotten by them', async (t) => {
  const { call } = openTerminal(t);
  const run = async (...words: string[]) => {
    const { out, err } = await call('memory', ...words);
    return out + err;
  };
  const id =
    /mem_\w+/.exec(await run('put', 'Boil for ten minutes', '--kind', 'procedure', '--tag', 'tea'))?.[0] ??
    '';
  await run('put', 'Porto', '--kind', 'fact', '--key', 'office', '--pinned');
  assert.match(await run('list', '--key', 'OFFICE'), /Porto\n {2}fact; key office; pinned\n/);
  assert.match(await run('list', '--tag', 'tea'), /Boil for ten minutes\n {2}procedure; #tea\n/);
  assert.match(
    await run('report', id, '--failed', '--reason', 'too bitter'),
    /worked 0, failed 1\n.*too bitter/,
  );
  assert.match(await run('pin', id), /is pinned\.\n/);
  assert.match(await run('list', '--pinned'), /Boil[\s\S]*Porto|Porto[\s\S]*Boil/);
  assert.match(await run('pin', id, '--unpin'), /no longer pinned/);
  assert.match(await run('put', 'x', '--kind', 'episode'), /Episodes are made of exchanges/);
  assert.match(await run('forget', '--tag', 'tea'), /1 entry would be forgotten/);
  assert.match(await run('forget', '--key', 'office', '--apply'), /1 entry is forgotten/);
  assert.match(await run('list', '--kind', 'fact'), /nothing in memory that fits/);
});

test('the use of each budget is shown with what would go next, and the doctor says that one is exceeded', async (t) => {
  const { folder, home, call } = openTerminal(t);
  assert.match((await call('memory', 'budget')).out, /There is no budget/);
  const config = join(folder, 'parley.config.json');
  writeFileSync(
    config,
    JSON.stringify({ home, memory: { budgets: { audience: { items: { note: 2 }, characters: 1_000 } } } }),
  );
  const run = (...words: string[]) => call(...words, '--config', config);
  for (const text of ['One is red', 'Two is blue', 'Three is green']) await run('memory', 'put', text);
  const { out } = await run('memory', 'budget');
  assert.match(out, /^person:operator\n {2}characters +\d+ of +1000 +\d+ %\n {2}note +3 of +2 +150 %\n/);
  assert.match(out, /next: 1 memory evicted \(mem_\w+\)/);
  assert.ok(out.split('\n').every((line) => line.length <= 80));
  const shown = JSON.parse((await run('memory', 'budget', '--json')).out);
  assert.equal(shown.budgets[0].next.step, 'evict');
  assert.match((await run('doctor')).out, /person:operator is over its budget of note: 3 of 2/);
  assert.match((await run('memory', 'budget')).out, /note +3 of/, 'a look changes nothing');
});

test('a running Parley brings memory back within its budgets, and again when it is exceeded once more', async (t) => {
  const newId = createIds(systemClock);
  const path = join(tempFolder(t), 'memory.sqlite');
  const budgets = { audience: { items: { note: 1 } } };
  const memory = createMemory({ path, clock: systemClock, newId, budgets });
  t.after(() => memory.close());
  const where = { audience: 'person:per_1' as const, restricted: true };
  const put = (text: string) =>
    memory.put({
      ...{
        kind: 'note',
        text,
        where,
        at: 1,
        speaker: { person: 'per_1', name: 'a' },
        platform: 'x',
        chat: 'x',
      },
      ...{ sessionID: '', runID: '', messageIDs: [] },
    });
  const looks: (() => void)[] = [];
  const clock = { ...systemClock, sleep: () => new Promise<void>((next) => looks.push(next)) };
  const offline = { providerID: 'offline' } as never; // the schedule asks no more of it
  const parts = { provider: () => offline, calls: {} as never, clock, log: quietLog().log };
  await put('first');
  await put('second');
  const schedule = createBudgetSchedule({ memory, ...parts, isOn: true });
  const notes = async () =>
    (await memory.list({ scope: { audiences: [where.audience], spaces: [], everyone: false } })).map(
      ({ text }) => text,
    );
  await until('a look', () => looks.length > 0);
  assert.deepEqual(await notes(), ['second']);
  await put('third');
  looks.pop()?.();
  await until('a look', () => looks.length > 0);
  assert.deepEqual(await notes(), ['third']);
  const closed = schedule.close();
  looks.pop()?.();
  await closed;
});
