// How much of a conversation a model is sent by its window and by what is set; from a platform's event to the request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScriptedHouse, sent } from './model-house.ts';

const dm = { chat: 'dm', user: 'you' } as const;

test('a model with a large window is sent more of a conversation than one whose window is not known, and as much as is set; it is known by its name or set', async (t) => {
  const heldBy = async (model: object): Promise<number> => {
    const { house, requests } = await openScriptedHouse(t, (call) => call.answer('Noted.'), {
      config: { model },
      platforms: ['slack'],
    });
    for (let n = 1; n <= 16; n += 1)
      await house.ask({ platform: 'slack', ...dm }, `${n} ${'lorem '.repeat(1_650)}`);
    await house.parley.close();
    // what no longer fits is summarized, so that the last one need not be the fullest
    const answers = requests.filter((body) => !sent(body).includes('You keep the notes'));
    return Math.max(...answers.map((body) => sent(body).split('lorem '.repeat(1_600)).length - 1));
  };
  const [unknown = 0, named = 0, inFamily = 0, large = 0, huge = 0, set = 0, small = 0] = await Promise.all(
    [
      {},
      { name: 'gpt-6-luna' },
      { name: 'vendor/claude-opus-9-20990101:free' },
      { contextTokens: 128_000 },
      { contextTokens: 1_000_000 },
      { contextTokens: 1_000_000, historyTokens: 40_000 },
      { contextTokens: 1_000_000, historyTokens: 5_000 },
    ].map(heldBy),
  );
  // 80,000, four times 128,000, 160,000 and 20,000 characters, and the message itself
  assert.deepEqual([unknown, named, inFamily, large, huge, set, small], [9, 13, 13, 13, 13, 16, 3]);
});
