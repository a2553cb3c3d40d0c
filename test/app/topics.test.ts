// Topics of private chats: each is a conversation of its own; what is remembered is the person's in all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { allScopes } from '#sandbox/slack/world/tokens.ts';
import { found } from '../support/found.ts';
import { openModelHouse } from './model-house.ts';

const requestSchema = z.object({ messages: z.array(z.looseObject({ role: z.string() })) });
const dm = { chat: 'dm', user: 'you' } as const;
const agent = { slack: { scopes: [...allScopes, 'assistant:write'] } };

for (const platform of ['telegram', 'slack'] as const)
  test(`${platform}: each topic of a direct message is a session of its own, and memory is the person's in all`, async (t) => {
    const { house, model } = await openModelHouse(t, [platform], {}, agent);
    const server = house.sandbox[platform];
    const mark = platform === 'slack' ? '!' : '/';
    const { telegram } = house.sandbox;
    const open = async (text: string): Promise<string> => {
      const thread = platform === 'telegram' ? telegram.createTopic(text, 'you') : undefined;
      const { id } = await server.say({ ...dm, text, thread });
      return thread ?? id;
    };
    const answersIn = (thread: string) =>
      house.answers({ platform, ...dm }).filter((answer) => answer.thread === thread);
    const told = async (thread: string, text: string): Promise<string> => {
      const before = answersIn(thread).length;
      await server.say({ ...dm, text, thread });
      return (await found(`an answer to ${text}`, () => answersIn(thread)[before])).text;
    };
    const request = () => requestSchema.parse(model.getLastRequest()?.body).messages;

    const boats = await open('The boat of Iduna is called Heron');
    await found('an answer in the first topic', () => answersIn(boats)[0]);
    const other = await open('What is the boat of Iduna called?');
    await found('an answer in the second topic', () => answersIn(other)[0]);
    const turns = request().filter(({ role }) => role === 'user' || role === 'assistant');
    assert.deepEqual(
      [turns.length, /Heron/.test(JSON.stringify(request()))],
      [1, true],
      JSON.stringify(request()),
    );

    await told(boats, 'and it is blue');
    assert.match(JSON.stringify(request()), /The boat of Iduna.*Seen\..*and it is blue/);
    assert.match(await told(other, `${mark}new Plans`), /new conversation called Plans/);
    assert.match(await told(boats, `${mark}rename Boats`), /is now called Boats/);
    const titles = platform === 'telegram' ? telegram.topics('you') : house.sandbox.slack.titles('you');
    assert.deepEqual(titles, ['Boats', 'Plans']);
    assert.match(await told(boats, `${mark}sessions`), /Boats \([^)]*this one/);
    assert.match(await told(other, `${mark}stop`), /nothing to stop/);
  });

test('slack: a reply in a direct message with an app that is no agent belongs to the one conversation there', async (t) => {
  const { house, model } = await openModelHouse(t, ['slack']);
  const { slack } = house.sandbox;
  const talk = { platform: 'slack', ...dm } as const;
  const root = await slack.say({ ...dm, text: 'the first' });
  const first = await found('an answer', () => house.answers(talk)[0]);
  assert.equal(first.thread, undefined);
  await slack.say({ ...dm, text: 'the second', thread: root.id });
  const second = await found('an answer in the thread', () => house.answers(talk)[1]);
  assert.equal(second.thread, root.id);
  assert.match(JSON.stringify(model.getLastRequest()?.body?.messages), /the first.*Seen\..*the second/);
});
