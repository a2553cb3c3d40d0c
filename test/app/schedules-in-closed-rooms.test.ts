// What a schedule asks in a room whose openness has changed since it was made: the answer belongs to the room as it is when it is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { createForwardClock } from '../support/forward-clock.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

for (const platform of ['discord', 'slack'] as const)
  for (const isClosed of [false, true])
    test(`what a schedule brings into a room on ${platform} that was ${isClosed ? 'closed' : 'open'} then is ${isClosed ? 'not ' : ''}recalled in another room, also once it is open again`, async (t) => {
      const model = new LLMock({ port: 0 });
      await model.start();
      t.after(() => model.stop());
      model.addFixture({
        match: { userMessage: /Report the bridge/ },
        response: { content: 'The bridge code is HERON-77.' },
      });
      model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Seen.' } });
      const clock = createForwardClock();
      const house = await openHouse(t, {
        clock,
        config: { model: { name: 'any' } },
        variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
      });
      await house.ready(platform);
      const { places } = house.sandbox[platform];
      const robin = house.sandbox[platform].userID('you');
      const space = places.addSpace('crew');
      places.joinSpace(robin, space);
      const addRoom = (name: string): string =>
        places.addRoom({ space, kind: 'public', name, parent: undefined, members: [robin] });
      const [lobby, other] = [addRoom('lobby'), addRoom('other')];
      const rest = (): Promise<true> =>
        found('rest', () => {
          const { active, waiting, changes } = house.parley.gateway.lanes();
          const left = house.parley.gateway.status().some((one) => one.inboxBacklog + one.outboxBacklog > 0);
          return active + waiting + changes === 0 && !left ? true : undefined;
        });
      /** Says it; resolves with the first message of the bot's there, or below it, that fits. */
      const heard = (room: string, text: RegExp, say: () => unknown = () => undefined) => {
        const all: string[] = [];
        const stop = places.onBotMessage(({ room: at, message }) => {
          if (at.split('/')[0] === room) all.push(message.text);
        });
        t.after(stop);
        say();
        return found(`${text}`, () => all.find((each) => text.test(each)));
      };
      const command = platform === 'slack' ? '!' : '/';
      const say = (room: string, text: string) => () =>
        places.say({ account: robin, room, text, mention: true });
      await heard(lobby, /work on/, say(lobby, `${command}schedule in 10 minutes Report the bridge`));
      await heard(lobby, /It is set/, say(lobby, `${command}remind yes`));
      await rest();
      if (isClosed) places.setOpen(lobby, false);
      await rest();
      await heard(lobby, /HERON-77/, () => clock.advance(600_000));
      await rest();
      if (isClosed) places.setOpen(lobby, true);
      await rest();
      await heard(other, /Seen/, say(other, 'What is the bridge code?'));
      assert.equal(JSON.stringify(model.getLastRequest()?.body).includes('HERON-77'), !isClosed);
    });
