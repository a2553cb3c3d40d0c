// A file that a platform keeps refusing, from the platform's answer to what people there and the operator read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { createForwardClock } from '../support/forward-clock.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';
import { parley } from './mcp-kit.ts';

const minute = 60_000;

for (const platform of ['discord', 'telegram', 'slack'] as const)
  test(`a file that ${platform} refuses is given up after ten minutes, also over a restart: the chat, the owner and the status say so, and the next answer comes`, async (t) => {
    const model = new LLMock({ port: 0 });
    await model.start();
    t.after(() => model.stop());
    const args = JSON.stringify({ name: 'prices.csv', media_type: 'text/csv', content: 'tea,2\n' });
    // first, as on Slack what was said before in the room is in the prompt as well
    model.addFixture({ match: { userMessage: /how are you/ }, response: { content: 'All is well.' } });
    model.addFixture({
      match: { userMessage: /list/, hasToolResult: false },
      response: { toolCalls: [{ name: 'artifact', arguments: args }] },
    });
    model.addFixture({ match: { userMessage: /list/ }, response: { content: 'Here is the list.' } });
    model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Hello.' } });
    const clock = createForwardClock();
    const house = await openHouse(t, {
      clock,
      config: { model: { name: 'any' } },
      variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
    });
    await house.ready(platform);
    const dm = { platform, chat: 'dm', user: 'you' } as const;
    await house.ask(dm, 'hello'); // the owner has a direct message
    const server = house.sandbox[platform];
    server.inject({ kind: 'server_error', target: 'file', times: 1_000_000 });
    const room = { platform, chat: 'room', user: 'you' } as const;
    await server.say({ chat: 'room', user: 'you', text: 'the list, please', mention: true });
    const texts = (talk: typeof dm | typeof room): string =>
      house
        .answers(talk)
        .map(({ text }) => text)
        .join('\n');
    const givenUp = /could not send it/;
    /** Lets a time pass, and in it attempts happen. */
    const pass = async (minutes: number): Promise<void> => {
      for (let half = 0; half < minutes * 2; half += 1) {
        const before = server.calls().length;
        clock.advance(minute / 2);
        await found('an attempt', () =>
          server.calls().length > before || givenUp.test(texts(room)) ? true : undefined,
        );
      }
    };
    await found('the answer', () => (/Here is the list/.test(texts(room)) ? true : undefined));
    await pass(5);
    await house.restart();
    await house.ready(platform);
    assert.doesNotMatch(texts(room), givenUp);
    for (let minutes = 0; minutes < 9 && !givenUp.test(texts(room)); minutes += 1) await pass(1);
    await found('the words in its place', () => (givenUp.test(texts(room)) ? true : undefined));
    assert.match(texts(room), /I made `?prices\.csv`?, but could not send it/);
    await server.say({ chat: 'room', user: 'you', text: 'And how are you?', mention: true });
    await found('the next answer', () => (/All is well/.test(texts(room)) ? true : undefined));
    await found('the notice to the owner', () => (/gave up sending/.test(texts(dm)) ? true : undefined));
    assert.equal(texts(dm).split('gave up sending').length, 2, 'once');
    const status = await parley(house, 'status');
    assert.match(`${status.out}${status.err}`, /prices\.csv/);
  });
