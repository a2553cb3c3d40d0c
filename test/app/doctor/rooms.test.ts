// The doctor on the rooms in which the bot was spoken to: what keeps it from writing there, with the click that fixes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
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
