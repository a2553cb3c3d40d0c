// What the model library would say on the console by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ask, openKit } from './support/kit.ts';
import { settingsFor, startMock } from './support/mock-provider.ts';

test('a model that the library does not know can answer, and nothing is printed about it', async (t) => {
  const warnings: string[] = [];
  const listener = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', listener);
  t.after(() => process.off('warning', listener));
  const mock = await startMock(t);
  mock.on({ userMessage: 'hello' }, { content: 'hi' });
  const { engine } = await openKit(t, {
    model: { ...settingsFor('anthropic', mock), model: 'claude-of-tomorrow' },
  });
  const { id } = await engine.createSession({});
  assert.equal((await ask(engine, id, 'hello')).text, 'hi');
  await turn(); // warnings are emitted in a tick of their own
  assert.deepEqual(warnings, []);
});
