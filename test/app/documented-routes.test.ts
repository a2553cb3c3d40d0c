// The pages about the API against the document that a running program gives: each names only what is there, and together they name all of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pages } from '../support/pages.ts';
import { openTerminal } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
const methods = /^(?:GET|POST|PUT|PATCH|DELETE)$/;
/** Routes that a page names with those before them, as in "`/session/ID/` with `fork`". */
const continued = /`(\/[^`]*\/)` with ((?:`\w+`(?:, )?)+)/g;

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
}
interface Named {
  page: string;
  method: string;
  path: string;
  query: string[];
}

async function documentOf(t: TestContext): Promise<Document> {
  const terminal = openTerminal(t, { channels: { discord: {}, telegram: {}, slack: {} } });
  const parley = await terminal.start();
  const token = readFileSync(join(terminal.home, 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(new URL('/openapi.json', parley.url), { headers })).json()) as Document;
}

/** What a page names with its method: "`GET`, `PUT /config`" is two routes. */
function namedIn({ path: page, text }: (typeof pages)[number]): Named[] {
  return text.split('\n').flatMap((line) => {
    const found: Named[] = [];
    let waiting: string[] = [];
    for (const [, code = ''] of line.matchAll(/`([^`]+)`/g)) {
      const [method = '', address = ''] = code.split(' ');
      if (!methods.test(method)) continue;
      if (address === '') {
        waiting.push(method);
        continue;
      }
      const [path = '', query = ''] = address.split('?');
      const names = query.split('&').flatMap((pair) => pair.split('=')[0] || []);
      for (const each of [...waiting, method]) found.push({ page, method: each, path, query: names });
      waiting = [];
    }
    return found;
  });
}

/** `/session/{sessionID}/message` and `/session/ID/message` as the same. */
const shapeOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^\{.+\}$|^[A-Z]+$/.test(part) ? '*' : part))
    .join('/');

test('every route that a page names is in the document, with its method and what it asks for', async (t) => {
  const { paths } = await documentOf(t);
  const byShape = new Map(Object.entries(paths).map(([path, operations]) => [shapeOf(path), operations]));
  const named = pages.flatMap(namedIn);
  assert.ok(named.length > 100, `${named.length}`);
  const wrong = named.flatMap(({ page, method, path, query }) => {
    const operation = byShape.get(shapeOf(path))?.[method.toLowerCase()];
    if (operation === undefined) return `${page}: ${method} ${path}`;
    const known = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
    return query.filter((name) => !known.includes(name)).map((name) => `${page}: ${method} ${path}?${name}=`);
  });
  assert.deepEqual(wrong, []);
});

test('the page of the API names every route of the document', async (t) => {
  const { paths } = await documentOf(t);
  const text = readFileSync(join(root, 'docs/http-api.md'), 'utf8');
  const shapes = new Set<string>();
  for (const [, code = ''] of text.matchAll(/`(?:[A-Z]+ )?(\/[^`\s?]*)[^`]*`/g)) shapes.add(shapeOf(code));
  for (const [, path = '', names = ''] of text.matchAll(continued))
    for (const [, name = ''] of names.matchAll(/`(\w+)`/g)) shapes.add(shapeOf(`${path}${name}`));
  assert.deepEqual(
    Object.keys(paths).filter((path) => !shapes.has(shapeOf(path))),
    [],
  );
});
