// A file that this user may not read: named, and the rest goes well. Root reads everything, so the work is done by another user.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderNameOf } from '#memory/types/folder-name.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const nobody = 65_534;

test('a MEMORY.md without read permission is named by the status, and notes of the same folder are still found', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can work as another user');
  const folder = tempFolder(t);
  const own = join(folder, 'memory', folderNameOf('person:per_1'));
  mkdirSync(join(own, 'memory'), { recursive: true });
  writeFileSync(join(own, 'audience.json'), JSON.stringify({ audience: 'person:per_1', created: 1 }));
  writeFileSync(join(own, 'memory', '2026-11-20.md'), '- The oak gate is open.\n');
  writeFileSync(join(own, 'MEMORY.md'), '- The walrus gate is closed.\n');
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, name), nobody, nobody);
  chownSync(join(own, 'MEMORY.md'), 0, 0);
  chmodSync(join(own, 'MEMORY.md'), 0o600);
  const program = `
    import { createMemory } from '#memory/memory.ts';
    import { systemClock } from '#base/clock.ts';
    import { createIds } from '#base/ids.ts';
    const memory = createMemory({
      path: '${folder}/memory.sqlite', clock: systemClock, newId: createIds(systemClock), files: { root: '${folder}/memory' },
      dreaming: { isOn: true },
    });
    const scope = { audiences: ['person:per_1'], spaces: [], everyone: false };
    await memory.indexFiles();
    const { hits } = await memory.search({ text: 'gate', scope });
    const prompt = await memory.filePrompt({ audience: 'person:per_1', scope });
    const edit = await memory.editFile({ audience: 'person:per_1', replace: '', text: 'x', by: { person: '', sessionID: '', runID: '' } })
      .catch((error) => error.message);
    console.log(JSON.stringify({ found: hits.map(({ text }) => text), refused: (await memory.status()).files.refused, prompt: prompt.degraded, edit }));
    await memory.close();
  `;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    ...{ uid: nobody, gid: nobody, encoding: 'utf8', env: { HOME: folder, PATH: process.env.PATH } },
  });
  if (child.status !== 0 && /EACCES/.test(child.stderr))
    return t.skip('another user may not read this folder');
  assert.equal(child.status, 0, child.stderr);
  const { found, refused, prompt, edit } = JSON.parse(child.stdout);
  assert.deepEqual(
    found,
    ['The oak gate is open.'].map((text) => `- ${text}`),
  );
  assert.match(refused[0].words, /cannot be read: this user has no permission/);
  assert.match(prompt.join(), /MEMORY\.md cannot be read: this user has no permission/);
  assert.match(edit, /no permission/);
});
