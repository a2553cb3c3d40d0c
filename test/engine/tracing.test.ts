// What the engine tells whoever measures it: the run, its model calls and tools, by name and count alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attributes, Parent, Span, Tracing } from '#base/tracing.ts';
import { ask, openKit } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

/** Keeps the spans in the order in which they began. */
function recorder(): { tracing: Tracing; lines: string[]; attributes: Attributes[] } {
  const lines: string[] = [];
  const attributes: Attributes[] = [];
  const begin = (name: string, depth: number): Span => {
    const at = lines.push(`${' '.repeat(depth)}${name}`) - 1;
    return {
      ...under(depth + 1),
      set: (more) => void attributes.push(more),
      end(failure) {
        if (failure !== undefined) lines[at] += `: ${failure}`;
      },
    };
  };
  const under = (depth: number): Parent => ({
    child(name, options) {
      attributes.push(options?.attributes ?? {});
      return begin(name, depth);
    },
  });
  return { tracing: { root: (name) => begin(name, 0), under: () => under(0) }, lines, attributes };
}

test('a run is told with its model calls and tools; what a model invents is told as unknown', async (t) => {
  const raw = await startRaw(t);
  const { tracing, lines, attributes } = recorder();
  const { engine } = await openKit(t, { model: raw.settings, tracing });
  const { id } = await engine.createSession({});
  const asked = ask(engine, id, 'what is on my list?');
  (await raw.next()).callTool('todo_read', {});
  (await raw.next()).callTool('the_words_of_a_person', {});
  const last = await raw.next();
  last.say('Nothing.');
  last.finish();
  assert.equal((await asked).text, 'Nothing.');
  const failing = ask(engine, id, 'again');
  (await raw.next()).refuse(401, { error: { message: 'no' } });
  await failing;
  assert.deepEqual(lines, [
    'run',
    ' chat m',
    ' execute_tool todo_read',
    ' chat m',
    ' execute_tool unknown: failed',
    ' chat m',
    'run: AUTHENTICATION_ERROR',
    ' chat m: AUTHENTICATION_ERROR',
  ]);
  assert.doesNotMatch(JSON.stringify(attributes), /list|Nothing|words of/);
});
