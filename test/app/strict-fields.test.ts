// Nothing that a client sends is ignored in silence: each route of the document, with a request that is right but for one thing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTerminal } from './terminal.ts';

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}
interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  security?: unknown[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}
type Fields = Record<string, unknown>;

/** What a request was answered with; the frames of a stream are left out. */
interface Answer {
  status: number;
  text: string;
}
interface Api {
  document: Document;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** The API of a whole program with three channels, and its document. */
async function openApi(t: TestContext): Promise<Api> {
  const terminal = openTerminal(t, { channels: { discord: {}, telegram: {}, slack: {} } });
  const parley = await terminal.start();
  const token = readFileSync(join(terminal.home, 'token'), 'utf8').trim();
  const send: Api['send'] = async (method, path, body) => {
    const response = await fetch(new URL(path, parley.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel();
      return { status: response.status, text: '' };
    }
    return { status: response.status, text: await response.text() };
  };
  const document = JSON.parse((await send('GET', '/openapi.json')).text) as Document;
  return { send, document };
}

/** A value that the schema takes: what it requires, and nothing else. */
function sampleOf(schema: JsonSchema, document: Document): unknown {
  const s = resolved(schema, document);
  if (s.const !== undefined) return s.const;
  if (s.enum !== undefined) return s.enum[0];
  const first = (s.anyOf ?? s.oneOf)?.[0];
  if (first !== undefined) return sampleOf(first, document);
  switch (typesOf(s)[0]) {
    case 'object':
      return Object.fromEntries(
        (s.required ?? []).map((name) => [name, sampleOf(s.properties?.[name] ?? {}, document)]),
      );
    case 'array':
      return Array.from({ length: s.minItems ?? 0 }, () => sampleOf(s.items ?? {}, document));
    case 'integer':
    case 'number':
      return Math.max(s.minimum ?? 1, (s.exclusiveMinimum ?? 0) + 1, 1);
    case 'boolean':
      return true;
    case 'string':
      return 'x'.repeat(Math.max(1, s.minLength ?? 1));
    default:
      return 'x';
  }
}

function resolved(schema: JsonSchema, document: Document): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(document.components?.schemas?.[name] ?? {}, document);
}

const typesOf = ({ type }: JsonSchema): string[] => [type ?? []].flat();

const sha256 = 'a'.repeat(64);
/** Requests that the schema alone does not give; those that would do something outside of the home folder name a place that cannot be. */
const bodies: Record<string, Fields> = {
  'POST /backup': { folder: '/dev/null/nowhere' },
  'POST /restore': { folder: '/dev/null/nowhere' },
  'POST /agent-team/spawn': { templateID: 'researcher', prompt: 'x' },
  'POST /memory/forget': { kind: 'note' },
  'POST /memory/turns/forget': { audience: 'room:x', message_ids: ['x'] },
  'POST /content/forget': { of: { persons: ['x'] } },
  'POST /memory/import': {
    source: { kind: 'path', path: '/dev/null/nowhere' },
    format: 'directory',
    tier: 'global',
  },
  'POST /schedule': { when: 'tomorrow at 9', person: 'x', chat: 'x' },
  'POST /hooks': { name: 'x', chat: 'discord:dm:1:-:2:-' },
  'POST /tokens': { agent: 'x' },
  'POST /ledger/forget': { of: { persons: ['x'] } },
  'PUT /config': { text: '{}', tag: 'x' },
  'PUT /config/secrets': { name: 'TAVILY_API_KEY', value: 'tvly-0123456789' },
  'POST /memory/reader': {
    operation: 'closeSession',
    reader: {
      ...{ platform: 'x', chat: 'x', kind: 'dm', audience: 'person:x', restricted: true },
      ...{ speaker: { person: 'x', name: 'x' }, reach: { audiences: [], spaces: [] } },
    },
    input: {},
  },
};
const queries: Record<string, Record<string, string>> = {
  'GET /usage/series': { from_ms: '1', until_ms: '1000001', step_ms: '1000' },
  'GET /upload/{channel}/{place}/{name}': { sha256 },
  'PUT /upload/{channel}/{place}/{name}': { sha256 },
  'GET /provider/takes_file': { mime: 'image/png', bytes: '0' },
};
/** Refused for the state of the program, not for its fields: what is wrong with these is said before. */
const refusedBases = new Set([
  'POST /agent-team/spawn',
  'PUT /upload/{channel}/{place}/{name}',
  'POST /memory/import',
  'POST /schedule',
  'POST /memory/reader',
]);
/** Texts that may be empty, or as long as a body. */
const anyText = new Set([
  'POST /config/check text',
  'POST /memory/context/distill conversation.0.content',
  'POST /firing/{id}/settle reason',
]);

interface Place {
  way: string[];
  schema: JsonSchema;
}

/** Every field of a body with the way to it, those of objects and lists in it too. */
function placesIn(schema: JsonSchema, document: Document, way: string[] = []): Place[] {
  if (way.length > 6) return [];
  const { properties = {}, items, anyOf = [], oneOf = [] } = resolved(schema, document);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { way: [...way, name], schema: field },
      ...placesIn(field, document, [...way, name]),
    ]),
    ...(items === undefined ? [] : placesIn(items, document, [...way, '0'])),
    ...[...anyOf, ...oneOf].flatMap((one) => placesIn(one, document, way)),
  ];
}

/** The forms that a value may have. */
function formsOf(schema: JsonSchema, document: Document): JsonSchema[] {
  const { anyOf, oneOf, ...whole } = resolved(schema, document);
  const inner = anyOf ?? oneOf;
  return inner === undefined ? [whole] : inner.flatMap((one) => formsOf(one, document));
}

/** The base with a value at that place; what is missing on the way there is made of the schema. */
function withAt(base: unknown, { way, schema }: Place, document: Document, value: unknown): unknown {
  const [name, ...rest] = way;
  if (name === undefined) return value;
  const next = (form: JsonSchema): JsonSchema | undefined =>
    name === '0' ? form.items : form.properties?.[name];
  const form = formsOf(schema, document).find((one) => next(one) !== undefined) ?? {};
  const inner = { way: rest, schema: next(form) ?? {} };
  if (name === '0') {
    const first: unknown =
      Array.isArray(base) && base.length > 0 ? base[0] : sampleOf(inner.schema, document);
    return [withAt(first, inner, document, value)];
  }
  const isObject = typeof base === 'object' && base !== null && name in base;
  const own = (isObject ? base : { ...(sampleOf(form, document) as Fields), ...(base as Fields) }) as Fields; // a form with fields gives an object
  return { ...own, [name]: withAt(own[name] ?? sampleOf(inner.schema, document), inner, document, value) };
}

/** The types that a schema takes; undefined where it takes any. */
function takes(schema: JsonSchema, document: Document): Set<string> | undefined {
  const types = formsOf(schema, document).map((form) =>
    form.enum !== undefined || form.const !== undefined
      ? [typeof (form.const ?? form.enum?.[0])]
      : typesOf(form),
  );
  if (types.some((each) => each.length === 0)) return undefined;
  return new Set(types.flat().map((type) => (type === 'integer' ? 'number' : type)));
}

interface Walked {
  at: string;
  document: Document;
  query: NonNullable<Operation['parameters']>;
  schema: JsonSchema | undefined;
  /** The request that is right. */
  right: { query: Record<string, string>; body: unknown };
  ask(query: Record<string, string> | [string, string][], body: unknown): Promise<Answer>;
}

/** Every operation behind the operator's token, with a request that fits its schemas. */
function operationsOf({ document, send }: Api): Walked[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { security, parameters = [], requestBody }]): Walked[] => {
      const at = `${verb.toUpperCase()} ${path}`;
      // those with a guard of another kind are called by programs that add what they like
      if (security?.length === 0 || path === '/mcp') return [];
      const query = parameters.filter((each) => each.in === 'query');
      const schema = requestBody?.content['application/json']?.schema;
      const needed = query.filter(({ required }) => required);
      const given = needed.map((each) => [each.name, String(sampleOf(each.schema, document))]);
      const place = path.replace(/\{[^}]+\}/g, 'x1');
      const right = {
        query: queries[at] ?? (Object.fromEntries(given) as Record<string, string>), // pairs of strings
        body: bodies[at] ?? (schema && sampleOf(schema, document)),
      };
      const fields = [
        ...query.map(({ name }) => name),
        ...(schema === undefined ? [] : placesIn(schema, document).map(({ way }) => way.at(-1) ?? '')),
      ];
      const ask: Walked['ask'] = async (asked, body) => {
        const answer = await send(verb.toUpperCase(), `${place}?${new URLSearchParams(asked)}`, body);
        assert.deepEqual(otherNames(answer, fields), [], `${at}: ${answer.text}`);
        return answer;
      };
      return [{ at, document, query, schema, right, ask }];
    }),
  );
}

/** What a refusal calls a field that is sent under another name: `projectID` where `project_id` is. */
function otherNames({ status, text }: Answer, fields: readonly string[]): string[] {
  if (status !== 400) return [];
  const words = (JSON.parse(text) as { error: string }).error.match(/\b[a-z]+[A-Z][A-Za-z]*\b/g) ?? [];
  const formOf = (name: string): string => name.replaceAll('_', '').toLowerCase();
  const forms = new Set(fields.map(formOf));
  return words.filter((word) => !fields.includes(word) && forms.has(formOf(word)));
}

const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500;

/** Refused, with the name of what is wrong. */
const names = ({ status, text }: Answer, name: string): boolean => status === 400 && text.includes(name);

test('each route refuses a query parameter that it does not know, that comes twice, is empty, huge or of another form', async (t) => {
  const walked = operationsOf(await openApi(t));
  for (const { at, query, right, ask, document } of walked) {
    const base = await ask(right.query, right.body);
    assert.ok(base.status < 500 && (base.status !== 400 || refusedBases.has(at)), `${at}: ${base.text}`);
    for (const name of ['no_such_field', 'constructor', '__proto__']) {
      const unknown = await ask([...Object.entries(right.query), [name, '1']], right.body);
      assert.ok(names(unknown, name), `${at}: ${unknown.status} ${unknown.text}`);
    }
    for (const { name, schema } of query) {
      const twice = await ask([...Object.entries({ ...right.query, [name]: '1' }), [name, '2']], right.body);
      assert.ok(names(twice, name), `${at} ${name} twice: ${twice.status} ${twice.text}`);
      const empty = await ask({ ...right.query, [name]: '' }, right.body);
      assert.ok(names(empty, name), `${at} ${name} empty: ${empty.status} ${empty.text}`);
      const torn = await ask({ ...right.query, [name]: '\0' }, right.body);
      assert.ok(names(torn, name), `${at} ${name} NUL: ${torn.status} ${torn.text}`);
      const huge = await ask({ ...right.query, [name]: '9'.repeat(12_000) }, right.body);
      assert.ok(isRefused(huge), `${at} ${name} huge: ${huge.status} ${huge.text}`);
      const isFree = formsOf(schema, document).some(
        (form) => typesOf(form).includes('string') && form.enum === undefined && form.pattern === undefined,
      );
      const wrong = isFree ? huge : await ask({ ...right.query, [name]: 'no[]' }, right.body);
      assert.ok(isFree || names(wrong, name), `${at} ${name} wrong: ${wrong.status} ${wrong.text}`);
    }
  }
  assert.ok(walked.length > 110, `${walked.length} routes`);
});

test('each route that takes no body refuses one that says something', async (t) => {
  const walked = operationsOf(await openApi(t)).filter(
    ({ at, schema }) => schema === undefined && !/^(GET|PUT \/upload)/.test(at),
  );
  for (const { at, right, ask } of walked) {
    const given = await ask(right.query, { no_such_field: 1 });
    assert.ok(names(given, 'no_such_field'), `${at}: ${given.status} ${given.text}`);
  }
  assert.ok(walked.length > 10, `${walked.length} routes`);
});

/** One value of each type of JSON. */
const oneOfEach: readonly (readonly [string, unknown])[] = [
  ['array', [[null]]],
  ['object', { no_such_thing: 1 }],
  ['string', 'wrong'],
  ['number', 3.25],
  ['boolean', true],
];

/** Values of the right type that few fields can use. */
const extremes: readonly (readonly [string, unknown])[] = [
  ['string', ''],
  ['string', 'x'.repeat(300_000)],
  ['number', 1e300],
  ['number', -1],
];
const nothings = [[], {}, null];

test('each route refuses what it does not know anywhere in a body, another type of any field, and values beyond use', async (t) => {
  const walked = operationsOf(await openApi(t)).filter(({ schema }) => schema !== undefined);
  let fields = 0;
  for (const { at, document, schema = {}, right, ask } of walked) {
    const unknown = await ask(right.query, { ...(right.body as Fields), no_such_field: 1 });
    assert.ok(names(unknown, 'no_such_field'), `${at}: ${unknown.status} ${unknown.text}`);
    assert.ok(isRefused(await ask(right.query, [])), `${at}: a list`);
    for (const { way, schema: field } of placesIn(schema, document)) {
      fields += 1;
      const place = `${at} ${way.join('.')}`;
      const types = takes(field, document);
      const asked = async (value: unknown): Promise<[Answer, string]> => {
        const answer = await ask(right.query, withAt(right.body, { way, schema }, document, value));
        return [answer, `${place}: ${JSON.stringify(value).slice(0, 40)}: ${answer.status} ${answer.text}`];
      };
      for (const value of nothings) {
        const [answer, told] = await asked(value);
        assert.ok(answer.status < 500, told);
      }
      if (types === undefined) continue;
      if (types.has('string')) {
        const [answer, told] = await asked('a\ud800');
        assert.ok(names(answer, way.at(-1) ?? ''), told);
      }
      for (const [, value] of oneOfEach.filter(([type]) => !types.has(type))) {
        const [answer, told] = await asked(value);
        assert.ok(names(answer, way.at(-1) ?? ''), told);
      }
      for (const [, value] of anyText.has(place) ? [] : extremes.filter(([type]) => types.has(type))) {
        const [answer, told] = await asked(value);
        assert.ok(isRefused(answer), told);
      }
      for (const form of formsOf(field, document)) {
        if (form.properties === undefined || form.additionalProperties === true) continue;
        const [answer, told] = await asked({ ...(sampleOf(form, document) as Fields), no_such_field: 1 });
        assert.ok(names(answer, 'no_such_field'), told);
      }
    }
  }
  assert.ok(walked.length > 50 && fields > 250, `${walked.length} routes, ${fields} fields`);
});
