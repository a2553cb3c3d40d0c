// Agents with one memory and with their own: what people write to one, and which of the others gets it later.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModelHouse } from './model-house.ts';

const dm = { chat: 'dm', user: 'you' } as const;
const secret = 'The spare key is under the blue flowerpot.';
const question = 'Where is the spare key?';

for (const partition of ['own', 'shared'] as const)
  test(`what an agent with ${partition} memory learns is given to it in another channel, and to another agent only when shared`, async (t) => {
    const config = {
      assistants: {
        counsel: { systemPrompt: 'You are a counsellor.', partition },
        clerk: { systemPrompt: 'You are a clerk.', partition: 'shared' },
      },
      bindings: [
        { assistant: 'counsel', platform: 'telegram' },
        { assistant: 'counsel', platform: 'discord' },
        { assistant: 'clerk', platform: 'slack' },
      ],
    };
    const { house, model } = await openModelHouse(t, ['discord', 'telegram', 'slack'], config);
    const asked = async (platform: 'discord' | 'telegram' | 'slack', text: string): Promise<string> => {
      await house.ask({ platform, ...dm }, text);
      return JSON.stringify(model.getLastRequest()?.body);
    };
    await asked('telegram', secret);
    assert.match(await asked('discord', question), /blue flowerpot/);
    const clerk = await asked('slack', question);
    assert.match(clerk, /You are a clerk/);
    assert.equal(/blue flowerpot/.test(clerk), partition === 'shared');
    await asked('slack', 'The archive door is opened with the copper lever.');
    const counsel = await asked('discord', 'How is the archive door opened?');
    assert.match(counsel, /You are a counsellor/);
    assert.equal(/copper lever/.test(counsel), partition === 'shared');
  });
