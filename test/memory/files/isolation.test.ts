// Over random histories in random chats no file, prompt or search gives an audience what it could not read.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FileAudience } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { mayReadFolder } from '../../../src/memory/files/audience-folder.ts';
import { ann, openFiles } from './kit.ts';

const people = ['person:per_A', 'person:per_a', 'person:per-a', 'person:per_1'] as const;
const rooms = ['room:slack:T1:C1', 'room:slack:t1:c1', 'room:discord:1:2'] as const;
const writers: readonly Audience[] = [...people, ...rooms];

const write = fc.record({
  audience: fc.constantFrom(...writers),
  how: fc.constantFrom('note', 'edit'),
  of: fc.integer({ min: 0, max: 999_999 }),
});

test('audiences that look alike have folders that differ on every disk', () => {
  const audiences: FileAudience[] = [
    ...writers,
    'everyone',
    'space:slack:T1',
    'space:slack:t1',
    'person:../../x',
  ];
  const names = audiences.map((audience) => folderNameOf(audience).toLowerCase());
  assert.equal(new Set(names).size, audiences.length);
  for (const name of names) assert.match(name, /^[a-z0-9-]+$/);
});

test('no file ever holds text that its audience could not read (N16, N25)', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (history) => {
      const { memory, root } = openFiles(t);
      const told = new Map<string, Audience>();
      for (const { audience, how, of } of history) {
        const text = `Mark${of}of${writers.indexOf(audience)} was written here.`;
        told.set(text, audience);
        if (how === 'note') await memory.noteFile({ audience, text, by: ann });
        else await memory.editFile({ audience, replace: '', text, by: ann });
      }
      for (const name of readdirSync(root))
        for (const file of readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })) {
          if (!file.endsWith('.md')) continue;
          const content = readFileSync(join(root, name, file), 'utf8');
          for (const [text, audience] of told)
            if (content.includes(text)) assert.equal(name, folderNameOf(audience));
        }
      for (const reader of writers) {
        const scope: Scope = { audiences: [reader], spaces: ['slack:T1'], everyone: false };
        const { block } = await memory.filePrompt({ audience: reader, scope });
        const { hits } = await memory.search({ text: 'was written here', scope, limit: 50 });
        const shown = [block, ...hits.map((hit) => hit.text)].join('\n');
        for (const [text, audience] of told)
          if (shown.includes(text)) assert.equal(audience, reader, `${text} was shown to ${reader}`);
        for (const audience of writers)
          if (audience !== reader) assert.equal((await memory.filePrompt({ audience, scope })).block, '');
      }
      await memory.close();
    }),
    { numRuns: 12 },
  );
});

test('a scope reads the files of its audiences, spaces and everyone, and not those from before it', () => {
  const scope: Scope = {
    audiences: ['person:per_1', 'room:slack:T1:C1'],
    since: { 'room:slack:T1:C1': 100, 'person:per_1': 0 },
    spaces: ['slack:T1'],
    everyone: false,
  };
  assert.equal(mayReadFolder(scope, 'person:per_1', 50), true);
  assert.equal(mayReadFolder(scope, 'room:slack:T1:C1', 100), false);
  assert.equal(mayReadFolder(scope, 'room:slack:T1:C1', 101), true);
  assert.equal(mayReadFolder(scope, 'room:slack:T1:C2', 101), false);
  assert.equal(mayReadFolder(scope, 'space:slack:T1', 0), true);
  assert.equal(mayReadFolder(scope, 'space:slack:T2', 0), false);
  assert.equal(mayReadFolder(scope, 'everyone', 0), false);
});

test('a note holds nothing from before its day began in the zone of its name', async (t) => {
  const room = 'room:slack:T1:C1';
  for (const [timeZone, begins] of [
    ['Pacific/Auckland', '2026-01-19T11:00:00Z'],
    ['Europe/Berlin', '2026-01-19T23:00:00Z'],
    [undefined, '2026-01-20T00:00:00Z'],
    ['America/New_York', '2026-01-20T05:00:00Z'],
  ] as const) {
    const { memory, put } = openFiles(t, { files: { timeZone } });
    const path = await put(room, 'memory/2026-01-20.md', '- The walrus gate is 4711.\n');
    const shownTo = async (since: number): Promise<unknown[]> => {
      const scope: Scope = { audiences: [room], since: { [room]: since }, spaces: [], everyone: false };
      const { hits } = await memory.search({ text: 'walrus gate', scope });
      const read = await memory.readFile({ scope, path }).catch(() => ({ text: '' }));
      return [hits.length, read.text !== ''];
    };
    assert.deepEqual(await shownTo(Date.parse(begins)), [0, false], timeZone);
    assert.deepEqual(await shownTo(Date.parse(begins) - 1), [1, true], timeZone);
    await memory.close();
  }
});
