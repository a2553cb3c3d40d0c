// Options of `parley memory` that do nothing beside the others of a call: they are refused, since what is passed over is a surprise later.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTerminal } from './terminal.ts';

const refused: [command: string, said: RegExp][] = [
  ['search boat --channel team', /--channel counts only with --records\./],
  ['search boat --host laptop', /--host counts only with --records\./],
  ['search boat --records --corpus wiki', /--corpus counts only without --records\./],
  ['search boat --records --explain', /--explain counts only without --records\./],
  ['promote --subject boats', /--subject counts only with --to knowledge\./],
  ['promote mem_1 --to global --reason x --approved', /--approved counts only with --to knowledge\./],
  ['promote --reason x', /--reason counts only with --to\./],
  ['promote --project-id repo', /--project-id counts only with --to\./],
  ['promote prm_1 --revert --audience person:operator', /--audience counts only without --revert\./],
  ['promote mem_1 --to global --reason x --apply', /--apply counts only without --to\./],
  ['promote mem_1 --to global --reason x --revert', /--revert counts only without --to\./],
  ['rem-backfill --from 3 --revert', /--from counts only without --revert\./],
  ['import notes --format directory --account 7', /--account counts only with an export of a platform/],
];

test('an option of memory that would do nothing beside the others is refused, and with what it counts', async (t) => {
  const { call, folder } = openTerminal(t);
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes', 'a.md'), 'The boat is blue.');
  for (const [command, said] of refused) {
    const words = command.replace('notes', join(folder, 'notes')).split(' ');
    const { code, err } = await call('memory', ...words);
    assert.deepEqual([code, said.test(err)], [2, true], `${command}: ${err}`);
  }
  assert.match((await call('memory', 'list')).out, /nothing in memory/, 'none of them did anything');
});
