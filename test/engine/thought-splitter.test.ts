// Thoughts between tags in the text of an answer, however the answer is cut into pieces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createThoughtSplitter,
  type SpokenPiece,
  withoutThoughts,
} from '#engine/providers/sdk/thought-splitter.ts';

/** The words and thoughts in the end. */
function split(pieces: readonly string[], holds: boolean | 'thoughts' = false) {
  const splitter = createThoughtSplitter({ holds });
  let [text, reasoning] = ['', ''];
  const note = (piece: SpokenPiece): void => {
    if (piece.type === 'text') text += piece.delta;
    else if (piece.type === 'reasoning') reasoning += piece.delta;
    else [text, reasoning] = ['', reasoning + text];
  };
  for (const piece of pieces) splitter.push(piece).forEach(note);
  splitter.end().forEach(note);
  return { text, reasoning };
}

const cases: [string, string, string][] = [
  ['<think>Hm.</think>\n\nFour.', 'Four.', 'Hm.'],
  ['\n<Thinking>Hm.</Thinking>Four.', 'Four.', 'Hm.'],
  ['<reasoning>a < b</reasoning>Yes.', 'Yes.', 'a < b'],
  ['<seed:think>Hm.</seed:think>Four.', 'Four.', 'Hm.'],
  ['[THINK]Hm.[/THINK]Four.', 'Four.', 'Hm.'],
  ['<think>never closed', '', 'never closed'],
  ['Two and two is\n</think>\n\nFour.', 'Four.', 'Two and two is\n'],
  ['One.\n<think>Hm.</think>\nTwo.', 'One.\nTwo.', 'Hm.'],
  ['One. <think>Hm.</think> Two.', 'One. Two.', 'Hm.'],
  ['The tag <think> opens a thought.', 'The tag <think> opens a thought.', ''],
  ['The tag `<think>` opens, `</think>` closes.', 'The tag `<think>` opens, `</think>` closes.', ''],
  ['See:\n```xml\n<think>\nx\n</think>\n```\nDone.', 'See:\n```xml\n<think>\nx\n</think>\n```\nDone.', ''],
  ['~~~\n<think>\n```\n</think>\n~~~\n<think>a</think>b', '~~~\n<think>\n```\n</think>\n~~~\nb', 'a'],
  ['<think>```\ncode</think>After.', 'After.', '```\ncode'],
  ['a < b and [x](y) ~ <b>', 'a < b and [x](y) ~ <b>', ''],
  ['    indented', '    indented', ''],
  ['<think>a</think>\n    b', 'b', 'a'],
  ['<think>a <think>b</think> c</think>\nFour.', 'Four.', 'a b c'],
  ['<think>a <thinking>b</thinking></think>Four.', 'Four.', 'a b'],
  ['<think>They say <think> is a tag.</think>\nFour, I say.', 'Four, I say.', 'They say  is a tag.'],
  ['<think>a <think>b</think>\nIt ends with `</think>`.', 'It ends with `</think>`.', 'a b'],
  ['<think >Hm.</think >Four.', 'Four.', 'Hm.'],
  ['<think type="deep">Hm.</think>\nFour.', 'Four.', 'Hm.'],
  ['<think\n>Hm.</ think\n>Four.', 'Four.', 'Hm.'],
  ['<reasoning_content>Hm.</reasoning_content>Four.', 'Four.', 'Hm.'],
  ['<analysis>\nHm.\n</analysis>\n\nFour.', 'Four.', '\nHm.\n'],
  ['```xml\n<analysis>\nx\n</analysis>\n```', '```xml\n<analysis>\nx\n</analysis>\n```', ''],
  ['a <thinker> and <analysis', 'a <thinker> and <analysis', ''],
  ['<|START_THINKING|>Hm.<|END_THINKING|>Four.', 'Four.', 'Hm.'],
  [
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>',
    'Four.',
    'Hm.',
  ],
  ['<|channel|>analysis<|message|>Hm. <b><|channel|>final<|message|>Four.', 'Four.', 'Hm. <b>'],
  ['<|channel|>analysis<|message|>never closed', '', 'never closed'],
  ['<|channel|>commentary<|message|>I look it up.<|end|>', '', 'I look it up.'],
  [
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.look <|constrain|>json<|message|>{"a": [1]}<|call|>',
    '<tool_call>{"name": "look", "arguments": {"a": [1]}}</tool_call>',
    'Hm.',
  ],
  [
    'The mark <|end|> ends, `<|channel|>final<|message|>` begins.',
    'The mark <|end|> ends, `<|channel|>final<|message|>` begins.',
    '',
  ],
  ['<|channel>thought\nHm.<channel|>Four.', 'Four.', '\nHm.'],
  ['<|channel>thought\n<channel|>Four.', 'Four.', '\n'],
  ['One.\n<|channel>thought\nHm.<channel|>\nTwo.', 'One.\nTwo.', '\nHm.'],
  ['<|channel>thought\nnever closed', '', '\nnever closed'],
  ['The mark `<|channel>thought` begins.', 'The mark `<|channel>thought` begins.', ''],
  [
    '<|begin_of_thought|>Hm.<|end_of_thought|>\n\n<|begin_of_solution|>\nFour.<|end_of_solution|>',
    'Four.',
    'Hm.',
  ],
  ['<|begin_of_thought|>Hm.<|begin_of_solution|>Four.<|end_of_solution|>', 'Four.', 'Hm.'],
  ['<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>', 'Four.', 'Hm.'],
  ['It is <|begin_of_box|>4<|end_of_box|>.', 'It is 4.', ''],
  ['`<|START_RESPONSE|>` begins it.', '`<|START_RESPONSE|>` begins it.', ''],
  ['analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Four.', 'Four.', 'Hm.'],
  ['analysis<|message|>Hm.<|end|>assistant<|channel|>final<|message|>Four.<|return|>', 'Four.', 'Hm.'],
  ['analysis<|message|>Hm.<|end|>final<|message|>Four.', 'Four.', 'Hm.'],
  [
    'commentary to=functions.look <|constrain|>json<|message|>{}<|call|>',
    '<tool_call>{"name": "look", "arguments": {}}</tool_call>',
    '',
  ],
  ['analysis of herons', 'analysis of herons', ''],
  ['final to you', 'final to you', ''],
  ['assistants help', 'assistants help', ''],
  ['<think/>\n\nFour.', 'Four.', ''],
  ['<think />Four.', 'Four.', ''],
  ['Write <think/> for none.', 'Write <think/> for none.', ''],
  ['', '', ''],
];

for (const [whole, text, reasoning] of cases)
  test(`in ${JSON.stringify(whole)} words and thoughts are the same for every split (R8)`, () => {
    assert.deepEqual(split([whole]), { text, reasoning });
    assert.deepEqual(split([...whole]), { text, reasoning }, 'character by character');
    for (let at = 1; at < whole.length; at += 1)
      assert.deepEqual(split([whole.slice(0, at), whole.slice(at)]), { text, reasoning }, `split at ${at}`);
    assert.deepEqual(split([...whole], true), { text, reasoning }, 'held until it is known');
    assert.equal(withoutThoughts(whole), text);
  });

test('any text is split alike, whatever its pieces are, and none of it is lost (R8)', () => {
  const word = fc.constantFrom(
    ...[
      '<think>',
      '</think>',
      '<',
      '>',
      '`',
      '```',
      '~~~',
      '\n',
      ' ',
      'a',
      'b.',
      '[',
      '[THINK]',
      '[/THINK]',
      '</',
      '<|channel|>final<|message|>',
      '<|channel|>analysis<|message|>',
      '<|end|>',
      'analysis<|message|>',
      'assistant<|channel|>final<|message|>',
      '<think/>',
      '<|channel>thought',
      '<channel|>',
      '<|START_RESPONSE|>',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 14 }),
      fc.array(fc.nat(), { maxLength: 10 }),
      fc.boolean(),
      (words, cuts, holds) => {
        const whole = words.join('');
        const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
        assert.deepEqual(split(pieces, holds), split([whole], holds));
        assert.deepEqual(split([whole], true), split([whole], false), 'holding changes when, not what');
        const { text, reasoning } = split([whole]);
        // no mark has these
        const letters = (from: string): string => [...from.replace(/[^b.]/g, '')].sort().join('');
        assert.equal(letters(text + reasoning), letters(whole));
      },
    ),
    { numRuns: 3_000 },
  );
});

test('an answer that may have begun as a thought is shown only once that is known (R8)', () => {
  const splitter = createThoughtSplitter({ holds: true });
  assert.deepEqual(splitter.push('Two and two'), []);
  assert.deepEqual(splitter.push(' is four.</think>'), [
    { type: 'was reasoning' },
    { type: 'reasoning', delta: 'Two and two is four.' },
  ]);
  assert.deepEqual(splitter.push('Four.'), [{ type: 'text', delta: 'Four.' }]);
});
