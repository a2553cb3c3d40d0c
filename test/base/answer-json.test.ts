// JSON cut out of what a model answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { answerJson } from '#base/json.ts';

const list = z.array(z.object({ line: z.string() }));
const object = z.object({ lasting: z.array(z.number()) });

test('the JSON of an answer is found in a fence, after a sentence and before one; what is none is refused', () => {
  for (const text of [
    '[{"line": "a"}]',
    '```json\n[{"line": "a"}]\n```',
    'Here {it} is: [{"line": "a"}] That is all.',
  ])
    assert.deepEqual(answerJson(text, 'list', list), [{ line: 'a' }], text);
  assert.deepEqual(answerJson('[1] Sure: {"lasting": [1, 2]}.', 'object', object), { lasting: [1, 2] });
  for (const text of ['', 'No.', ']oops[', '[{"line": ', '{"lasting": "all"}'])
    for (const wrong of [() => answerJson(text, 'list', list), () => answerJson(text, 'object', object)])
      assert.throws(wrong, { code: /invalid_(json|value)/ }, text);
});
