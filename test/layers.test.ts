// The layers, bottom to top: this list is the architecture document. Imports only go down.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';

/** Rooms from the bottom up; rooms on one line are siblings and never import each other. */
const floors: string[][] = [
  ['base'],
  ['sandbox'],
  ['memory/types'],
  ['memory/secrets'],
  ['memory/words'],
  ['memory/tables'],
  ['memory/vectors'],
  ['memory/chunks'],
  ['memory/records'],
  ['memory/recalls'],
  ['memory/store'],
  ['memory/files'],
  [
    'memory/search',
    'memory/import',
    'memory/maintenance',
    'memory/journal',
    'memory/dreaming',
    'memory/budgets',
  ],
  ['memory'],
  ['engine/wire'],
  ['engine/events'],
  ['engine/sessions'],
  ['engine/permissions', 'engine/artifacts', 'engine/run-files', 'engine/schedules', 'engine/teams'],
  ['engine/providers', 'engine/tools', 'engine/context'],
  ['engine/runs'],
  ['engine/missions'],
  ['engine/http', 'engine/client', 'engine/transfer'],
  ['engine/remote'],
  ['engine'],
  ['console'],
  ['adapters/text', 'adapters/uploads'],
  ['adapters/gateway'],
  ['adapters/discord', 'adapters/telegram', 'adapters/slack', 'adapters/terminal', 'adapters/mcp'],
  ['app'],
];

/** What may be seen of a layer from outside it; only the app's compose.ts, with what is in compose/, sees more. */
const doors: Record<string, RegExp> = {
  memory: /^(memory\/memory\.ts|memory\/types\/.+)$/,
  engine:
    /^(engine\/(engine|in-process-client|transfer)\.ts|engine\/client\/client\.ts|engine\/remote\/remote-engine\.ts|engine\/run-files\/(replay|retention)\.ts|engine\/teams\/(skills|policy-file|check-policy|check-skills)\.ts|engine\/wire\/.+)$/,
};

const root = join(import.meta.dirname, '..', 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|js)$/.test(file))
  .map((file) => file.split(sep).join('/'));
const level = new Map(floors.flatMap((rooms, index) => rooms.map((room) => [room, index] as const)));

/** The room of a file: its own folder, or the nearest folder above it that is a room. */
function roomOf(file: string): string {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (level.has(folder)) return folder;
  return dirname(file);
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap((match) => match[1] ?? []);
}

/** The file inside src that a specifier names, or undefined for packages. */
function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.'))
    return relative(root, join(root, dirname(file), specifier))
      .split(sep)
      .join('/');
  return undefined;
}

test('every file of src lives in a room that the list names', () => {
  assert.ok(files.length > 10, `expected the source files under ${root}, found ${files.length}`);
  assert.deepEqual(
    files.filter((file) => !level.has(roomOf(file))),
    [],
  );
});

test('imports go down, never up, sideways or around a door', () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      const to = target(file, specifier);
      if (to === undefined) continue;
      const from = roomOf(file);
      const room = roomOf(to);
      const storey = to.split('/')[0] ?? '';
      if (specifier.includes('../')) wrong.push(`${file}: writes ../ (${specifier})`);
      if (from === room) continue;
      if ((level.get(room) ?? 99) >= (level.get(from) ?? -1))
        wrong.push(`${file}: ${from} may not import ${room}`);
      if (from === 'adapters/sandbox' && room !== 'base') wrong.push(`${file}: the sandbox knows only base`);
      const admission = doors[storey];
      const inside = file.startsWith(`${storey}/`) || /^app\/compose(\.ts|\/.+)$/.test(file);
      if (admission !== undefined && !inside && !admission.test(to))
        wrong.push(`${file}: enters ${storey} next to its door (${to})`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no file is longer than 300 lines', () => {
  const tops = [root, import.meta.dirname, join(root, '..', 'bench')];
  const long = tops.flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|js|css|html)$/.test(file) && !file.includes('node_modules'))
      .map((file) => ({
        file: join(top, file),
        lines: readFileSync(join(top, file), 'utf8').split('\n').length - 1,
      }))
      .filter(({ lines }) => lines > 300),
  );
  assert.deepEqual(long, []);
});
