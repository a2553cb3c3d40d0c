// Whoever looks at an edited run leaves its files as they are: nothing of an edit is taken over, and once it is put back there is no drift.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openService } from './http/service-kit.ts';
import { aRunWithCalls, folderOf } from './support/replayed.ts';

type Path = readonly (string | number)[];

/** Where the values are that are no lists and objects. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** The text with one value of its JSON changed by `by`. */
function changed(text: string, path: Path, by: 1 | -1): string {
  const whole = JSON.parse(text);
  const last = path.at(-1) ?? '';
  const at = path.slice(0, -1).reduce((into, key) => into[key], whole);
  const value: unknown = at[last];
  at[last] = typeof value === 'number' ? value + by : typeof value === 'boolean' ? !value : `${value}x`;
  return JSON.stringify(whole);
}

function filesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.sort().map((path) => [path, readFileSync(path, 'utf8')]));
}

test('whatever value of a file of a finished run is edited, a look names it and changes nothing, and there is no drift once it is put back', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  const folder = folderOf(service, runID);
  const look = async () => (await service.ask('GET', `/context/runs/${runID}/replay`)).body.drift.mismatch;
  assert.equal(await look(), false);
  const whole = filesOf(folder);
  let edits = 0;
  for (const [path, content] of whole) {
    const parts = path.endsWith('.jsonl') ? content.split('\n').slice(0, -1) : [content];
    for (const [index, part] of parts.entries())
      for (const leaf of leavesOf(JSON.parse(part)))
        for (const by of [1, -1] as const) {
          const edited = parts.with(index, changed(part, leaf, by)).join('\n');
          writeFileSync(path, path.endsWith('.jsonl') ? `${edited}\n` : edited);
          const what = `${path}, part ${index + 1}, ${leaf.join('.')} by ${by}`;
          const before = filesOf(folder);
          assert.equal(await look(), true, what);
          const now = filesOf(folder);
          const touched = [...now].filter(([name, text]) => before.get(name) !== text);
          assert.deepEqual([touched.map(([name]) => name), now.size], [[], before.size], what);
          edits += 1;
          writeFileSync(path, content);
        }
  }
  assert.equal(await look(), false);
  assert.ok(edits > 100, `${edits} edits`);
});
