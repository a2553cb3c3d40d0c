// What stands in the way of a Discord bot, with the clicks that cure it. For the doctor; it changes nothing.
import { ApplicationFlags, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import type { Address } from '#adapters/gateway/address.ts';
import type { Finding } from '#adapters/gateway/channel.ts';
import type { Clock } from '#base/clock.ts';
import { checkRooms } from './check-rooms.ts';
import { intentCure, startsCure, tokenCure } from './cures.ts';
import { explain } from './explain.ts';
import { hasServerMembers } from './granted-intents.ts';
import { application, gatewayBot, self } from './payload.ts';
import type { Rest } from './rest.ts';

const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.AttachFiles;

/** Of the connections of a day, the share below which something must be starting the bot again and again. */
const fewStarts = 0.1;

/** Looks at the token, the connections that are left, the Message Content intent, whether the bot is in a server, and these rooms. */
export async function checkDiscord(rest: Rest, clock: Clock, rooms: readonly Address[]): Promise<Finding[]> {
  try {
    const me = self.parse(await rest().get(Routes.user()));
    const app = application.parse(await rest().get(Routes.currentApplication()));
    const { session_start_limit: starts } = gatewayBot.parse(await rest().get(Routes.gatewayBot()));
    const guilds = z
      .array(z.unknown())
      .parse(await rest().get(Routes.userGuilds(), { query: new URLSearchParams({ limit: '1' }) }));
    return [
      { level: 'ok', what: `The token belongs to the bot ${me.username}.` },
      messageContent(app.flags),
      serverMembers(app.flags),
      sessionStarts({ ...starts, resetAtMs: clock.now() + starts.reset_after }),
      guilds.length > 0
        ? { level: 'ok', what: 'The bot is in a server.' }
        : { level: 'warning', what: 'The bot is in no server yet.', cure: inviteCure(app.id) },
      ...(await checkRooms(rest, rooms)),
    ];
  } catch (error) {
    const { kind, words } = explain(error);
    if (kind === 'auth')
      return [{ level: 'error', what: 'Discord does not take the bot token.', cure: tokenCure }];
    const cure = 'Look at the network of this machine and at channels.discord.apiUrl, then try again.';
    return [{ level: 'error', what: words, cure }];
  }
}

function messageContent(flags: number): Finding {
  const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
  if ((flags & granted) !== 0) return { level: 'ok', what: 'The Message Content intent is on.' };
  return {
    level: 'error',
    what: 'The Message Content intent is off, so that Discord refuses the connection.',
    cure: intentCure,
  };
}

/** Not needed, and so no warning. */
function serverMembers(flags: number): Finding {
  const what = hasServerMembers(flags)
    ? 'The Server Members intent is on: who leaves a server or loses a role is shown nothing of it from that moment on.'
    : 'The Server Members intent is off, which is fine: Discord is asked who is still a member, every few minutes at most.';
  return { level: 'ok', what };
}

function sessionStarts(limit: { total: number; remaining: number; resetAtMs: number }): Finding {
  const { total, remaining } = limit;
  const until = `${new Date(limit.resetAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (remaining <= 0)
    return {
      level: 'error',
      what: `All ${total} connections that Discord grants in 24 hours were begun: no other one can be until ${until}.`,
      cure: `Wait until then; what is connected stays so. ${startsCure}`,
    };
  const words = `${remaining} of ${total} connections can still be begun until ${until}.`;
  if (remaining > total * fewStarts) return { level: 'ok', what: words };
  return { level: 'warning', what: `Only ${words}`, cure: startsCure };
}

function inviteCure(applicationID: string): string {
  const query = new URLSearchParams({
    client_id: applicationID,
    scope: 'bot applications.commands',
    permissions: permissions.toString(),
  });
  return `Open https://discord.com/oauth2/authorize?${query} and choose a server; direct messages need one in common.`;
}
