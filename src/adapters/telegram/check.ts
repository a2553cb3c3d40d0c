// Findings for the doctor: the token, privacy mode, a webhook or a second poller in the way. It changes nothing.
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ChannelFailure, ConnectionInfo, Finding } from '#adapters/gateway/terms/channel.ts';
import type { Client } from './calls/client.ts';
import { checkRooms } from './check-rooms.ts';

/** Asks Telegram about the bot, its privacy mode and its webhook, for `parley doctor`. A failure is a finding; it never rejects. */
export async function checkTelegram(
  client: Client,
  explain: (error: unknown) => ChannelFailure,
  {
    standing,
    rooms = [],
  }: { standing?: ConnectionInfo | undefined; rooms?: readonly Address[] | undefined } = {},
): Promise<Finding[]> {
  try {
    const me = await client.api.getMe();
    const webhook = await client.api.getWebhookInfo();
    return [
      { level: 'ok', what: `The token belongs to @${me.username}.` },
      groupFinding(me.can_read_all_group_messages),
      ...(me.can_join_groups ? [] : [joinFinding]),
      ...(me.can_connect_to_business ? [businessFinding] : []),
      membersFinding,
      ...(await checkRooms(client, rooms, explain)),
      ...(webhook.url ? [webhookFinding] : await otherPollers(client, explain, standing)),
    ];
  } catch (error) {
    return [{ level: 'error', what: explain(error).words, hint: hintFor(explain(error)) }];
  }
}

/**
 * Two that poll end each other's polls: while none of Parley does, a poll that Telegram ends belongs to someone else. It
 * confirms nothing, so whatever waits for the bot keeps waiting.
 */
async function otherPollers(
  client: Client,
  explain: (error: unknown) => ChannelFailure,
  standing: ConnectionInfo | undefined,
): Promise<Finding[]> {
  if (standing?.connected !== false) return [];
  try {
    await client.api.getUpdates({ timeout: standing.probeSeconds, limit: 1 });
    return [{ level: 'ok', what: 'No other program fetches the messages of this bot.' }];
  } catch (error) {
    const { kind, words } = explain(error);
    if (kind !== 'conflict') throw error;
    return [
      {
        level: 'error',
        what: words,
        hint: 'Look for another Parley, an older bot or a test with this token, also on other machines.',
      },
    ];
  }
}

/** Only the running program knows the groups, and the bot's standing in them can change at any time. */
const membersFinding: Finding = {
  level: 'ok',
  what:
    'In groups where the bot is no administrator Telegram does not say for certain who left or was banned, nor whether new members ' +
    'see old messages: there a member is shown, outside the group, only what was written since they were first seen in it. ' +
    'An administrator bot (any one right) shows more, and receives every message of the group.',
};

const joinFinding: Finding = {
  level: 'warning',
  what: 'The bot may not be added to groups.',
  hint: 'Talk to @BotFather: /setjoingroups, choose the bot, Enable.',
};

const businessFinding: Finding = {
  level: 'warning',
  what: 'People may connect the bot to their business accounts, which Parley does not serve: nothing of their chats is read or answered.',
  hint: 'Talk to @BotFather: /mybots, choose the bot, Bot Settings, Business Mode, turn it off.',
};

const webhookFinding: Finding = {
  level: 'warning',
  what: 'A webhook is set for this bot; Telegram refuses long polling while it is.',
  hint: 'Start Parley, again if it runs: it removes the webhook (deleteWebhook), and waiting messages stay. Stop the program that set it.',
};

function groupFinding(readsAll: boolean): Finding {
  if (readsAll)
    return { level: 'ok', what: 'Privacy mode is off: the bot sees every message of its groups.' };
  return {
    level: 'warning',
    what: 'Privacy mode is on: in groups the bot sees only mentions of it, replies to it and commands.',
    hint: 'If it should see all: talk to @BotFather, /setprivacy, choose the bot, Disable; then remove the bot from each group and add it again.',
  };
}

function hintFor({ kind }: ChannelFailure): string {
  return kind === 'auth'
    ? 'Copy the token from @BotFather (/token) into TELEGRAM_BOT_TOKEN.'
    : 'Look at the network of this machine and at channels.telegram.apiUrl, then try again.';
}
