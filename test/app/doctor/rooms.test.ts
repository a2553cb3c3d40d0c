// The doctor on the rooms in which the bot was spoken to: what keeps it from writing there, with the click that fixes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox, type DiscordSandbox } from '#sandbox/discord/server.ts';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import type { SlackSandbox } from '#sandbox/slack/server.ts';
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';
import { found } from '../../support/found.ts';
import { openClinic, problemsIn } from './clinic.ts';

test('a room where the bot was spoken to and may not write any more is named with the click that fixes it', async (t) => {
  const clinic = await openClinic(t, { telegram: { privacy: 'off' } });
  const servers = [clinic.sandbox.discord, clinic.sandbox.telegram, clinic.sandbox.slack];
  const parley = await startParley(loadConfig({ folder: clinic.folder, variables: {} }), {
    clock: systemClock,
  });
  try {
    await found('the connections', () =>
      parley.gateway.status().every(({ state }) => state === 'ready') ? true : undefined,
    );
    for (const server of servers) {
      await server.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
      const answered = () => server.shown('room', 'you').some(({ author }) => author === 'bot');
      await found(`the answer on ${server.platform}`, () => (answered() ? true : undefined));
    }
  } finally {
    await parley.close();
  }
  const well = await clinic.examine({});
  for (const { platform } of servers) {
    assert.equal(problemsIn(well, platform), '');
    assert.ok(well.some(({ about, what }) => about === platform && /may write in the \w+ where/.test(what)));
  }
  // each is what the sandbox makes
  const discord = clinic.sandbox.discord as DiscordSandbox;
  discord.places.admin.setOverwrite(discord.channelID('room', 'you'), {
    id: discord.botID,
    of: 'member',
    deny: permissionBits.sendMessages | permissionBits.readMessageHistory,
  });
  (clinic.sandbox.slack as SlackSandbox).archive();
  (clinic.sandbox.telegram as TelegramSandbox).setReadOnly('room');
  const { findings } = await clinic.doctor();
  assert.match(
    problemsIn(findings, 'discord'),
    /^warning: In #\S+ the bot has no "Send Messages", "Read Message History"\. -> .*Edit Channel, Permissions/,
  );
  assert.match(
    problemsIn(findings, 'telegram'),
    /^warning: The bot may not write in .* -> .*"Send Messages"/m,
  );
  assert.match(problemsIn(findings, 'slack'), /^warning: Slack: #room is archived\. -> Unarchive/m);
});

test('of several bots each is asked about the rooms in which it was spoken to, and not about those of another', async (t) => {
  const clinic = await openClinic(t);
  const second = await createDiscordSandbox({ clock: systemClock });
  t.after(() => second.close());
  clinic.configure((config) => ({
    ...config,
    channels: {
      ...config.channels,
      discord: { ...config.channels.discord, accounts: { second: { apiUrl: second.url } } },
    },
  }));
  clinic.tokens({ DISCORD_BOT_TOKEN_SECOND: second.tokens.bot });
  const parley = await startParley(loadConfig({ folder: clinic.folder, variables: {} }), {
    clock: systemClock,
  });
  try {
    await found('the connections', () =>
      parley.gateway.status().every(({ state }) => state === 'ready') ? true : undefined,
    );
    await second.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
    await found('an answer of the second bot', () =>
      second.shown('room', 'you').some(({ author }) => author === 'bot') ? true : undefined,
    );
  } finally {
    await parley.close();
  }
  second.places.admin.setOverwrite(second.channelID('room', 'you'), {
    id: second.botID,
    of: 'member',
    deny: permissionBits.sendMessages,
  });
  const { findings } = await clinic.doctor();
  assert.match(problemsIn(findings, 'discord/second'), /^warning: In #\S+ the bot has no "Send Messages"/);
  assert.equal(problemsIn(findings, 'discord'), '');
});
