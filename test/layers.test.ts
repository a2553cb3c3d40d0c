// The layers, bottom to top: this list is the architecture document. Imports only go down.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';

/** Modules from the bottom up; modules on one line are siblings and never import each other. */
const layers: string[][] = [
  ['base'],
  ['base/network'],
  ['base/caches', 'base/log', 'base/threads'],
  ['base/waiting'],
  ['base/files'],
  ['base/documents'],
  ['base/sqlite', 'base/postgres'],
  ['base/sql'],
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
  ['memory/import/items'],
  ['memory/import/histories'],
  [
    'memory/search',
    'memory/import',
    'memory/maintenance',
    'memory/journal',
    'memory/dreaming',
    'memory/budgets',
    'memory/qmd',
  ],
  ['memory'],
  ['engine/operations'],
  ['engine/wire'],
  ['engine/events'],
  ['engine/sessions'],
  ['engine/permissions', 'engine/artifacts', 'engine/run-files', 'engine/schedules', 'engine/teams'],
  ['engine/providers/calls'],
  ['engine/providers/sdk', 'engine/providers/offline', 'engine/providers/local'],
  ['engine/providers/thread'],
  ['engine/tools/definition'],
  ['engine/tools/mcp', 'engine/tools/web'],
  ['engine/providers', 'engine/tools', 'engine/context'],
  ['engine/memory-api'],
  ['engine/active'],
  ['engine/runs/tables'],
  ['engine/distillation', 'engine/runs'],
  ['engine/conversations', 'engine/missions'],
  ['engine/http', 'engine/client', 'engine/transfer'],
  ['engine/remote'],
  ['engine'],
  ['console/page/data'],
  ['console/page/parts'],
  ['console/page/agents', 'console/page/people', 'console/page/runs', 'console/page/settings'],
  ['console/page/conversations', 'console/page/memory', 'console/page/now'],
  ['console/page'],
  ['console'],
  ['adapters/text', 'adapters/uploads'],
  ['adapters/gateway/phrases'],
  ['adapters/gateway/terms'],
  ['adapters/gateway/pace'],
  ['adapters/gateway/ledger'],
  ['adapters/gateway/readers'],
  ['adapters/gateway/delivery'],
  ['adapters/gateway/admission'],
  ['adapters/gateway/preview'],
  ['adapters/gateway/turn-prompt'],
  ['adapters/gateway/turn-files'],
  ['adapters/gateway/requests'],
  ['adapters/gateway/turns'],
  ['adapters/gateway/lanes'],
  ['adapters/gateway/schedules'],
  ['adapters/gateway/intake'],
  ['adapters/gateway/commands'],
  ['adapters/gateway/leading'],
  ['adapters/gateway'],
  ['adapters/discord/calls'],
  ['adapters/discord/payloads'],
  ['adapters/discord/rooms'],
  ['adapters/discord/shards'],
  ['adapters/discord/events'],
  ['adapters/telegram/calls'],
  ['adapters/telegram/codecs'],
  ['adapters/telegram/updates'],
  ['adapters/slack/calls'],
  ['adapters/slack/codecs'],
  ['adapters/slack/rooms'],
  ['adapters/slack/outgoing'],
  ['adapters/slack/events'],
  ['adapters/slack/setup'],
  ['adapters/slack/connection'],
  ['adapters/discord', 'adapters/telegram', 'adapters/slack', 'adapters/terminal', 'adapters/mcp'],
  ['app'],
];

/** What may be seen of a layer from outside it; only the app's compose/ sees more. */
const entries: Record<string, RegExp> = {
  memory: /^(memory\/memory\.ts|memory\/types\/.+)$/,
  engine:
    /^(engine\/(engine|in-process-client|transfer)\.ts|engine\/client\/client\.ts|engine\/remote\/remote-(engine|operations)\.ts|engine\/operations\/operation\.ts|engine\/run-files\/(replay|retention)\.ts|engine\/teams\/(skills|policy-file|check-policy|check-skills)\.ts|engine\/wire\/.+)$/,
};

const root = join(import.meta.dirname, '..', 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|js)$/.test(file))
  .map((file) => file.split(sep).join('/'));
const level = new Map(layers.flatMap((modules, index) => modules.map((module) => [module, index] as const)));

/** The module of a file: its own folder, or the nearest folder above it that the list names. */
function moduleOf(file: string): string {
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

test('every file of src is in a module that the list names', () => {
  assert.ok(files.length > 10, `expected the source files under ${root}, found ${files.length}`);
  assert.deepEqual(
    files.filter((file) => !level.has(moduleOf(file))),
    [],
  );
});

test('imports go down, never up, sideways or past the entry of a layer', () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      const to = target(file, specifier);
      if (to === undefined) continue;
      const from = moduleOf(file);
      const module = moduleOf(to);
      const layer = to.split('/')[0] ?? '';
      if (specifier.includes('../')) wrong.push(`${file}: writes ../ (${specifier})`);
      if (from === module) continue;
      if ((level.get(module) ?? 99) >= (level.get(from) ?? -1))
        wrong.push(`${file}: ${from} may not import ${module}`);
      const entry = entries[layer];
      const inside = file.startsWith(`${layer}/`) || /^app\/compose\//.test(file);
      if (entry !== undefined && !inside && !entry.test(to))
        wrong.push(`${file}: enters ${layer} past its entry (${to})`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no file is longer than 400 lines', () => {
  const tops = [root, import.meta.dirname, join(root, '..', 'bench')];
  const long = tops.flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|js|css|html)$/.test(file) && !file.includes('node_modules'))
      .map((file) => ({
        file: join(top, file),
        lines: readFileSync(join(top, file), 'utf8').split('\n').length - 1,
      }))
      .filter(({ lines }) => lines > 400),
  );
  assert.deepEqual(long, []);
});

test('no files of src import each other in a circle, types included', () => {
  const graph = new Map(
    files.map((file) => [file, importsOf(file).flatMap((specifier) => target(file, specifier) ?? [])]),
  );
  assert.deepEqual(circlesIn(graph), []);
});

test('no folders of these layers import each other in a circle, types included', () => {
  const untied = [
    'base',
    'sandbox',
    'engine/wire',
    'engine/runs',
    'engine/http',
    'console',
    'adapters/text',
    'app',
  ];
  for (const layer of untied) {
    const graph = new Map<string, string[]>();
    for (const file of files.filter((each) => each.startsWith(`${layer}/`))) {
      const from = dirname(file);
      const to = importsOf(file).flatMap((specifier) => dirname(target(file, specifier) ?? '.'));
      const within = to.filter((folder) => folder !== from && `${folder}/`.startsWith(`${layer}/`));
      graph.set(from, [...(graph.get(from) ?? []), ...within]);
    }
    assert.deepEqual(circlesIn(graph), []);
  }
});

/** The ways that lead back to where they began, one for each import that closes a circle. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    else if (!done.has(file)) for (const to of graph.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

/** Where files have a twin: one for each platform or language, and parts of the page that are named after what they show. */
const twins =
  /^(adapters|sandbox)\/(discord|slack|telegram)\/|^adapters\/gateway\/phrases\/(de|en)\/|^(console|sandbox)\/page\//;

test('no name is exported by two files, except once for each platform, language or page', () => {
  const places = new Map<string, Set<string>>();
  for (const file of files) {
    const twin = twins.exec(file)?.[0] ?? '';
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, name = ''] of source.matchAll(
      /^export (?:async )?(?:type|interface|function\*?|const|class) (\w+)/gm,
    ))
      places.set(name, (places.get(name) ?? new Set()).add(twin === '' ? file : twin));
  }
  const twice = [...places].filter(([, of]) => [...of].filter((place) => !twins.test(place)).length > 1);
  assert.deepEqual(
    twice.map(([name, of]) => `${name}: ${[...of].join(', ')}`),
    [],
  );
});

test('no file is an exception from the bound of lines in a function', () => {
  const settings = JSON.parse(readFileSync(join(root, '..', 'biome.json'), 'utf8')) as {
    overrides: { includes: string[] }[];
  };
  assert.deepEqual(
    settings.overrides.flatMap(({ includes }) => includes),
    ['test/**', 'bench/**'],
  );
});
