// People are answered in the language of their app where only they read it, and rooms in the language of the config.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const german = { discord: { locale: 'de' }, telegram: { locale: 'de' }, slack: { locale: 'de-DE' } };
const dm = (platform: SandboxPlatform) => ({ platform, chat: 'dm', user: 'you' }) as const;

test('a person whose app is German reads German in private, and the room reads the language of the config', async (t) => {
  const house = await openHouse(t, { platforms: german });
  await house.ready(...all);
  // Discord names the language of an app with its own commands only
  await found('the slash commands', () => house.sandbox.discord.commands().includes('usage') || undefined);
  house.sandbox.discord.slash({ chat: 'dm', user: 'you', name: 'usage' });
  await found('the answer to a slash command', () =>
    house.answers(dm('discord')).find(({ text }) => /dieses Gespräch: noch nichts/.test(text)),
  );
  for (const platform of all) {
    const mark = platform === 'slack' ? '!' : '/';
    assert.match(
      await house.ask(dm(platform), `${mark}memory save The shed code is 12`),
      /^Das merke ich mir/,
      platform,
    );
    const room = { platform, chat: 'room', user: 'you' } as const;
    assert.match(await house.ask(room, `${mark}new`), /^This is a new conversation/, platform);
  }
});

test('where a platform says no language the config’s holds, in private and in rooms', async (t) => {
  const house = await openHouse(t, { config: { language: 'de' }, platforms: { telegram: { locale: 'fr' } } });
  await house.ready('telegram');
  for (const chat of ['dm', 'room'] as const)
    assert.match(
      await house.ask({ platform: 'telegram', chat, user: 'you' }, '/new'),
      /^Das ist ein neues Gespräch/,
      chat,
    );
});
