// What a run used, summed over its calls of the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, openKit, textBody } from './support/kit.ts';
import { frame, startRaw } from './support/raw-provider.ts';

/** The usage of a call, as it comes after its finish. */
const usageFrame = (usage: object): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`;

test('the usage of each call of the model is counted once, also when tools are called in between', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('plan'));
  for (const prompt_tokens of [100, 1_000]) {
    const call = await raw.next();
    const todos = { name: 'todo_write', arguments: '{"todos":[]}' };
    call.write(
      frame({ tool_calls: [{ index: 0, id: `t_${prompt_tokens}`, type: 'function', function: todos }] }),
    );
    call.write(frame({}, 'tool_calls'));
    call.write(usageFrame({ prompt_tokens, completion_tokens: 1 }));
    call.end();
  }
  const last = await raw.next();
  last.say('Planned.');
  last.write(frame({}, 'stop'));
  last.write(usageFrame({ prompt_tokens: 10_000, completion_tokens: 1 }));
  last.end();
  const { usage } = await engine.finished(runID);
  assert.deepEqual([usage?.calls, usage?.inputTokens, usage?.outputTokens], [3, 11_100, 3]);
});
