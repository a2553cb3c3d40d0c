// Forgetting that is killed at any moment: in the end a line is forgotten in file and index, or in neither.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openFiles, settled } from './kit.ts';

const hand = '- The oak gate is open, written by hand.';
const lines = Array.from({ length: 40 }, (_, at) => `- The walrus number ${at} is mine.`);

test('a kill while lines are forgotten leaves every other line, and finishes what was begun', async (t) => {
  for (const delayMs of [5, 40, 120]) {
    const folder = tempFolder(t);
    const [root, path] = [join(folder, 'memory'), join(folder, 'memory.sqlite')];
    const first = openFiles(t, { files: { root }, path });
    const file = await first.put('person:per_1', 'MEMORY.md', `${hand}\n\n${lines.join('\n\n')}\n`);
    await settled();
    await first.memory.indexFiles();
    await first.memory.close();
    await forgetAndDie(root, path, delayMs);
    const second = openFiles(t, { files: { root }, path, ahead: true });
    await second.memory.indexFiles();
    const text = (): string => readFileSync(join(root, file), 'utf8');
    const scope = { audiences: ['person:per_1'], spaces: [], everyone: false } as const;
    const indexed = async (): Promise<string> =>
      (await second.memory.list({ scope })).map((entry) => entry.text).join('\n');
    // a start finishes what was begun in the background, as soon as the machine gives it time
    await until('the index of what is in the file', async () => {
      const held = await indexed();
      return lines.every((line) => held.includes(line) === text().includes(line));
    });
    await second.memory.indexFiles();
    const held = await indexed();
    for (const line of lines)
      assert.equal(held.includes(line), text().includes(line), `${line} (${delayMs} ms)`);
    assert.ok(text().includes(hand) && held.includes(hand));
    assert.deepEqual((await second.memory.verify()).problems, []);
    await second.memory.close();
  }
});

/** Forgets line after line in another process, which is killed so long after its first. */
async function forgetAndDie(root: string, path: string, delayMs: number): Promise<void> {
  const program = `
    import { createMemory } from '#memory/memory.ts';
    import { systemClock } from '#base/clock.ts';
    import { createIds } from '#base/ids.ts';
    const memory = createMemory({
      path: ${JSON.stringify(path)}, clock: systemClock, newId: createIds(systemClock), files: { root: ${JSON.stringify(root)} },
    });
    const scope = { audiences: ['person:per_1'], spaces: [], everyone: false };
    process.stdout.write('begun');
    for (let at = 0; at < 40; at += 1)
      await memory.forget({ scope, selection: { words: 'walrus number ' + at }, mode: 'forget', proof: 'none' });
  `;
  const cwd = join(import.meta.dirname, '..', '..', '..');
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill('SIGKILL');
  await once(child, 'exit');
}
