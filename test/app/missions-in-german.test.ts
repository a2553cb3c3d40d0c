// A mission as a person whose app is German sees it: its agents, its cost, its button and its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chef, startScripted } from '../engine/teams/team-kit.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;

test('a person whose app is German reads about agents in German, and stops them (S12)', async (t) => {
  const never = Promise.withResolvers<void>().promise;
  const model = await startScripted(t, async (asked) => ({
    ...(await chef(asked)),
    ...(asked.prompt.includes('old') ? { held: never } : {}),
  }));
  const { provider, model: name, baseUrl } = model.settings;
  const house = await openHouse(t, {
    config: {
      model: { provider, name, baseUrl },
      agents: { team: { enabled: true, requireJustification: false, costPer1kTokensUSD: 0.01 } },
    },
    platforms: { telegram: { locale: 'de' } },
  });
  await house.ready('telegram');
  assert.match(await house.ask(talk, '/mission'), /haben noch keine Agenten zusammengearbeitet/);
  const { telegram } = house.sandbox;
  await telegram.say({ chat: 'dm', user: 'you', text: 'Wie lang ist die Brücke?' });
  const live = await found('the agents', () =>
    house.answers(talk).find(({ text }) => /2 Agenten arbeiten daran: 1 von 2 fertig/.test(text)),
  );
  assert.match(live.text, /Bisher: [\d.]+ Tokens?, \d+,\d+\s?\$/);
  assert.deepEqual(live.buttons, ['Anhalten']);
  telegram.pressButton({ id: live.id, user: 'you', at: 0 });
  await found('its end', () =>
    house.answers(talk).find(({ text }) => /Ich habe die Agenten angehalten/.test(text)),
  );
  assert.match(await house.ask(talk, '/mission stop'), /In diesem Gespräch laufen keine Agenten/);
  assert.match(await house.ask(talk, '/mission foo'), /zeigt die Agenten, .* hält sie an/);
});
