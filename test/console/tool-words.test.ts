// The sentences in which an approval says what a tool of Parley would do, against the arguments that the tools themselves take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '#base/secrets.ts';
import { createTeamTools } from '#engine/missions/team-tools.ts';
import { createToolbox } from '#engine/tools/toolbox.ts';
import { ownTools } from '#engine/wire/runs/tool-names.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** The page has types of its own, those of a browser: by a name that is none for the compiler here. */
const page: string = '#console/page/runs/tool-words.js';
const { toolWords } = (await import(page)) as {
  toolWords(tool: string, args: unknown): string | undefined;
};

type Schema = {
  enum?: unknown[];
  type?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};

test('an approval of each tool of Parley says in words what it would do, of the arguments that the tool takes', () => {
  const nothing = {} as never; // no tool is called
  const tools = createToolbox({
    rooms: {
      memory: nothing,
      sessions: nothing,
      requests: nothing,
      artifacts: nothing,
      mcp: { tools: () => [] },
      schedules: nothing,
    },
    web: () => ({}),
    search: () => ({ service: 'searxng', key: '', results: 1 }),
    team: () => createTeamTools(nothing),
    media: () => ({ speak: nothing, draw: nothing }),
    mayAsk: () => true,
    toolChars: 1,
    artifactBytes: 1,
    secrets: createSecrets([]),
    clock: createManualClock(),
  }).list();
  const asked = ownTools.filter((name) => name !== 'question');
  for (const name of asked) {
    const tool = tools.find((each) => each.name === name);
    assert.ok(tool !== undefined, name);
    const schema = tool.schema() as Schema;
    for (const fields of [schema.required ?? [], Object.keys(schema.properties ?? {})]) {
      const args = Object.fromEntries(
        fields.map((field) => [field, sampleOf(schema.properties?.[field], field)]),
      );
      const words = toolWords(name, args);
      assert.match(words ?? '', /^[A-Z]\S* \S/, name);
      assert.doesNotMatch(words ?? '', /undefined|\[object/, name);
    }
    // whatever a model sends is shown
    for (const odd of [{}, { todos: 'none' }, { kinds: 1, agents: 2, todos: [null] }])
      assert.equal(typeof toolWords(name, odd), 'string', name);
  }
  assert.equal(toolWords('mcp_bank_wire', {}), undefined);
});

/** What fits a schema, and says the name of its field where any text does. */
function sampleOf(schema: Schema | undefined, field: string): unknown {
  const of = schema?.anyOf?.[0] ?? schema;
  if (of?.enum !== undefined) return of.enum[0];
  if (of?.type === 'array') return [sampleOf(of.items, field)];
  if (of?.type === 'object')
    return Object.fromEntries(
      Object.entries(of.properties ?? {}).map(([name, each]) => [name, sampleOf(each, name)]),
    );
  if (of?.type === 'number' || of?.type === 'integer') return 1;
  if (of?.type === 'boolean') return true;
  return `the ${field}`;
}
