// The doctor against the sandbox's platforms, through their own client libraries, with each fault switched on: it names it, with its hint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { allScopes } from '#sandbox/slack/world/tokens.ts';
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { found } from '../../support/found.ts';
import { openClinic, problemsIn } from './clinic.ts';

const discordOf = ({ discord }: { discord: object }) => discord as DiscordSandbox; // what the sandbox makes
const telegramOf = ({ telegram }: { telegram: object }) => telegram as TelegramSandbox; // what the sandbox makes

test('nothing is wrong with the platforms of the sandbox, and every account is named', async (t) => {
  const clinic = await openClinic(t, { telegram: { privacy: 'off' } });
  const findings = await clinic.examine({});
  for (const platform of ['discord', 'telegram', 'slack']) {
    assert.equal(problemsIn(findings, platform), '');
    assert.ok(
      findings.some(({ about, what }) => about === platform && /parley|No other program/i.test(what)),
    );
  }
  assert.ok(findings.every(({ level, hint }) => level === 'ok' || hint !== undefined));
});

test('intents, scopes, privacy mode and a webhook in the way are named with the clicks that fix them (H5, F5)', async (t) => {
  const scopes = allScopes.filter((scope) => scope !== 'channels:history' && scope !== 'files:read');
  const clinic = await openClinic(t, { discord: { messageContent: 'refused' }, slack: { scopes } });
  telegramOf(clinic.sandbox).setWebhook('https://old.example/hook');
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  assert.match(
    problemsIn(findings, 'discord'),
    /^error: The Message Content intent is off.* -> .*Privileged Gateway Intents.*switch on/,
  );
  assert.match(problemsIn(findings, 'telegram'), /^warning: Privacy mode is on.* -> .*\/setprivacy/);
  assert.match(
    problemsIn(findings, 'telegram'),
    /^warning: A webhook is set for this bot.* -> Start Parley/m,
  );
  assert.match(
    problemsIn(findings, 'slack'),
    /^error: .*channels:history is missing.* -> Add channels:history: .*OAuth & Permissions/,
  );
  assert.match(problemsIn(findings, 'slack'), /^warning: .*files:read is missing/m);
});

test('connections that Discord hardly grants any more, or no more today, are named with the time when it does', async (t) => {
  const inTenHours = 36_000_000;
  const on = async (left: number): Promise<string> => {
    const discord = { sessionStarts: { left, resetAfterMs: inTenHours } };
    return problemsIn(await (await openClinic(t, { discord })).examine({}), 'discord');
  };
  const day = new Date(Date.now() + inTenHours).toISOString().slice(0, 10);
  assert.equal(await on(101), '');
  assert.match(
    await on(100),
    new RegExp(
      `^warning: Only 100 of 1000 connections can still be begun until ${day} .* UTC\\. -> .*another program`,
    ),
  );
  assert.match(
    await on(0),
    new RegExp(
      `^error: All 1000 connections .* no other one can be until ${day} \\d\\d:\\d\\d UTC\\. -> Wait until then`,
    ),
  );
});

test('the shards of this program are named, and a number of them that Discord would refuse before it does', async (t) => {
  const clinic = await openClinic(t, { discord: { shards: { maxGuilds: 1 } } });
  const about = async (shards: object): Promise<string> => {
    clinic.configure((config) => ({
      ...config,
      channels: { ...config.channels, discord: { ...config.channels.discord, shards } },
    }));
    const findings = await clinic.examine({});
    return findings
      .flatMap(({ level, what, hint }) => (/shards/.test(what) ? `${level}: ${what} ${hint ?? ''}` : []))
      .join();
  };
  assert.match(
    await about({ from: 1, to: 2, of: 4 }),
    /^ok: This program has the shards 1 to 2 of 4; the others.* the same "of". Discord recommends one shard. Direct messages/,
  );
  const { places } = discordOf(clinic.sandbox);
  for (const name of ['one', 'two', 'three', 'four']) {
    places.addSpace(name);
    await new Promise((resolve) => setTimeout(resolve, 2)); // guilds of one millisecond are on one shard
  }
  assert.match(
    await about({ from: 0, to: 1, of: 2 }),
    /^warning: .*recommends \d+ shards\. Set channels\.discord\.shards\.of/,
  );
});

test('tokens that are not valid (any more) are named one by one, and none is shown (H7)', async (t) => {
  const clinic = await openClinic(t);
  const bad = {
    DISCORD_BOT_TOKEN: 'MTIzNDU2.bad-token.of-discord',
    SLACK_BOT_TOKEN: 'xoxb-bad-token',
    SLACK_APP_TOKEN: 'xapp-bad-token',
  };
  clinic.tokens(bad);
  telegramOf(clinic.sandbox).revokeToken();
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  assert.match(problemsIn(findings, 'discord'), /^error: .* -> .*Reset Token.*DISCORD_BOT_TOKEN/);
  assert.match(
    problemsIn(findings, 'telegram'),
    /^error: .*Unauthorized.* -> .*@BotFather.*TELEGRAM_BOT_TOKEN/,
  );
  assert.match(problemsIn(findings, 'slack'), /^error: .* -> Set SLACK_BOT_TOKEN/);
  assert.match(
    problemsIn(findings, 'slack'),
    /^error: Slack: Socket Mode cannot be opened.* -> .*SLACK_APP_TOKEN/m,
  );
  const said = JSON.stringify(findings);
  for (const token of [...Object.values(bad), clinic.sandbox.environment.TELEGRAM_BOT_TOKEN ?? ''])
    assert.ok(!said.includes(token), token);
});

test('a second program that fetches the messages is noticed, and loses none of them (H6)', async (t) => {
  const clinic = await openClinic(t, { telegram: { privacy: 'off' } });
  const { url, tokens } = clinic.sandbox.telegram;
  const stop = new AbortController();
  t.after(() => stop.abort());
  const polling = (async () => {
    while (!stop.signal.aborted)
      await fetch(`${url}/bot${tokens.bot}/getUpdates?timeout=30`, { signal: stop.signal });
  })().catch(() => undefined); // it ends by being aborted
  await found('the other poller', () => (telegramOf(clinic.sandbox).polling() ? true : undefined));
  const { findings } = await clinic.doctor();
  assert.match(
    problemsIn(findings, 'telegram'),
    /^error: Another program is fetching the updates of this bot.* -> Look for another Parley/,
  );
  await clinic.sandbox.telegram.say({ chat: 'dm', user: 'you', text: 'still there?' });
  assert.equal(telegramOf(clinic.sandbox).pendingUpdates(), 1);
  stop.abort();
  await polling;
});

test('a channel that is switched off, or has no app token, is reported as such', async (t) => {
  const clinic = await openClinic(t, { telegram: { privacy: 'off' } });
  clinic.configure((config) => ({
    ...config,
    channels: { ...config.channels, discord: { ...config.channels.discord, enabled: false } },
  }));
  clinic.tokens({ SLACK_APP_TOKEN: '' });
  const findings = await clinic.examine({});
  assert.ok(findings.some(({ what }) => what === 'Not connected: switched off.'));
  assert.match(problemsIn(findings, 'slack'), /^warning: .*polled.* -> .*Socket Mode.*SLACK_APP_TOKEN\.$/);
});

test('what was written in a room and never came names the event that is not subscribed, next to a Parley that runs (F5)', async (t) => {
  const subscriptions = ['app_mention', 'message.im', 'message.groups', 'message.mpim'];
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const clinic = await openClinic(t, { slack: { subscriptions, clock } });
  clinic.configure((config) => ({
    ...config,
    channels: {
      ...config.channels,
      discord: { ...config.channels.discord, enabled: false },
      telegram: { ...config.channels.telegram, enabled: false },
    },
  }));
  const parley = await startParley(loadConfig({ folder: clinic.folder, variables: {} }), {
    clock: systemClock,
  });
  t.after(() => parley.close());
  await found('the connection', () =>
    parley.gateway.status().find(({ platform }) => platform === 'slack')?.state === 'ready'
      ? true
      : undefined,
  );
  const quiet = await clinic.doctor();
  assert.equal(problemsIn(quiet.findings, 'slack'), '');
  aheadMs = 60_000; // an event may be a few seconds on its way
  await clinic.sandbox.slack.say({ chat: 'room', user: 'you', text: 'and in this thread?' });
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  assert.match(
    problemsIn(findings, 'slack'),
    /^error: .*#room at \d\d:\d\d UTC never came: the app does not hear message\.channels\. -> .*Event Subscriptions.*add message\.channels/,
  );
  assert.ok(findings.some(({ about, what }) => about === 'program' && /runs at http/.test(what)));
});

test('a channel that failed in a running Parley is reported with its present state (H7, T10)', async (t) => {
  const clinic = await openClinic(t);
  clinic.configure((config) => ({
    ...config,
    channels: {
      ...config.channels,
      discord: { ...config.channels.discord, enabled: false },
      slack: { ...config.channels.slack, enabled: false },
    },
  }));
  const parley = await startParley(loadConfig({ folder: clinic.folder, variables: {} }), {
    clock: fastClock(20),
  });
  t.after(() => parley.close());
  const state = () => parley.gateway.status().find(({ platform }) => platform === 'telegram')?.state;
  await found('the connection', () => (state() === 'ready' ? true : undefined));
  assert.doesNotMatch(problemsIn((await clinic.doctor()).findings, 'telegram'), /error/);
  telegramOf(clinic.sandbox).revokeToken();
  await clinic.sandbox.telegram.say({ chat: 'dm', user: 'you', text: 'anything that ends the poll' });
  await found('the end', () => (state() === 'failed' ? true : undefined));
  assert.match(
    problemsIn((await clinic.doctor()).findings, 'telegram'),
    /^error: The Parley that runs is not connected \(failed\)\. .*Unauthorized/m,
  );
});
