// The commands of the OpenClaw document, run as they stand there with the name of this program. Two of its options are left out: docs/memory.md.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeRecalls } from './recalled-home.ts';
import { openTerminal } from './terminal.ts';

/** "CLI, Status, and Doctor Surfaces", in its order, and what each prints. */
const commands: [command: string, printed: RegExp][] = [
  ['memory status', /^entries +\d/],
  ['memory status --deep', /^entries +\d[\s\S]*vectors/],
  ['memory status --index', /^entries +\d/],
  ['memory status --fix', /^entries +\d/],
  ['memory index --force', /passages/],
  ['memory search Nelly', /laid up in Harlingen/],
  ['memory promote', /Nelly[\s\S]*passes[\s\S]*Nothing was changed/],
  ['memory promote --apply', /promoted prm_/],
  ['memory promote-explain Nelly', /frequency +0\.\d\d/],
  ['memory rem-harness', /DREAMS\.md/],
  ['memory rem-harness --json', /^\{"reports":\[\{/],
];

test('the documented commands of memory run as they stand there', async (t) => {
  const { call, folder, home } = openTerminal(t);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ home }));
  await writeRecalls(home);
  for (const [command, printed] of commands) {
    const { code, out, err } = await call(...command.split(' '));
    assert.deepEqual([code, err], [0, ''], command);
    assert.match(out, printed, command);
  }
});
