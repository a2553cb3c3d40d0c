// What stands in the way of a Discord bot, with the clicks that fix it. For the doctor; it changes nothing.
import { ApplicationFlags, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import { type Listing, lookAtCommands } from '#adapters/discord/events/app-commands.ts';
import { application, gatewayBot, self } from '#adapters/discord/payloads/payload.ts';
import type { GatewayInfo } from '#adapters/discord/shards/gateway-info.ts';
import { hasServerMembers } from '#adapters/discord/shards/granted-intents.ts';
import { planShards, type ShardsWanted } from '#adapters/discord/shards/sharding.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ConnectionInfo, Finding } from '#adapters/gateway/terms/channel.ts';
import type { Clock } from '#base/clock.ts';
import { utcMinute } from '#engine/wire/channels/notes.ts';
import { explain } from './calls/explain.ts';
import { intentHint, startsHint, tokenHint } from './calls/hints.ts';
import type { Rest } from './calls/rest.ts';
import { checkRooms } from './check-rooms.ts';

const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.AttachFiles;

/** What answers need besides, where a mention opens a thread. */
const threadPermissions = PermissionFlagsBits.CreatePublicThreads | PermissionFlagsBits.SendMessagesInThreads;

/** Servers that are looked at, which Discord lists in one answer, and those of them that are named. */
const maxServers = 200;
const maxNamed = 3;

/** `permissions` are those of the bot in the whole server, without what its channels grant or deny ("Get Current User Guilds"). */
const servers = z.array(z.looseObject({ name: z.string(), permissions: z.string() }));

interface CheckOptions {
  clock: Clock;
  replyInThread: boolean;
  wanted: ShardsWanted;
  standing?: ConnectionInfo | undefined;
  /** Where the bot was spoken to. */
  rooms: readonly Address[];
}

/** Of the connections of a day, the share below which something must be starting the bot again and again. */
const fewStarts = 0.1;

/** Commands set within this time were set together. */
const roundMs = 10 * 60_000;

/** Looks at the token, the connections, the intents, the commands, the servers that the bot is in with what it may do there, and these rooms. */
export async function checkDiscord(rest: Rest, options: CheckOptions): Promise<Finding[]> {
  const { clock, replyInThread: mentions, wanted, standing, rooms } = options;
  try {
    const me = self.parse(await rest().get(Routes.user()));
    const app = application.parse(await rest().get(Routes.currentApplication()));
    const info = gatewayBot.parse(await rest().get(Routes.gatewayBot()));
    const starts = info.session_start_limit;
    const query = new URLSearchParams({ limit: String(maxServers) });
    const guilds = servers.parse(await rest().get(Routes.userGuilds(), { query }));
    const needed = mentions ? permissions | threadPermissions : permissions;
    return [
      { level: 'ok', what: `The token belongs to the bot ${me.username}.` },
      messageContent(app.flags),
      serverMembers(app.flags),
      sessionStarts({ ...starts, resetAtMs: clock.now() + starts.reset_after }),
      ...shardFindings(wanted, info),
      guilds.length > 0
        ? { level: 'ok', what: 'The bot is in a server.' }
        : { level: 'warning', what: 'The bot is in no server yet.', hint: inviteHint(app.id, needed) },
      ...(mentions ? threadFindings(guilds) : []),
      ...(await checkRooms(rest, rooms)),
      ...commandFindings(await lookAtCommands(rest, app.id), standing?.connected === true),
    ];
  } catch (error) {
    const { kind, words } = explain(error);
    if (kind === 'auth')
      return [{ level: 'error', what: 'Discord does not take the bot token.', hint: tokenHint }];
    const hint = 'Look at the network of this machine and at channels.discord.apiUrl, then try again.';
    return [{ level: 'error', what: words, hint }];
  }
}

function messageContent(flags: number): Finding {
  const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
  if ((flags & granted) !== 0) return { level: 'ok', what: 'The Message Content intent is on.' };
  return {
    level: 'error',
    what: 'The Message Content intent is off, so that Discord refuses the connection.',
    hint: intentHint,
  };
}

/** What Parley has set in the application's list of commands and when, what it will set at its next start, and what it leaves unchanged. */
function commandFindings({ right, missing, different, others }: Listing, isConnected: boolean): Finding[] {
  const list = (names: readonly string[]): string => names.map((name) => `/${name}`).join(', ');
  const newest = Math.max(0, ...right.map(({ changedAtMs = 0 }) => changedAtMs));
  const last = right.filter(
    ({ changedAtMs }) => changedAtMs !== undefined && changedAtMs >= newest - roundMs,
  );
  const which = last.length === right.length ? 'all of them' : list(last.map(({ name }) => name));
  const when = newest === 0 ? '' : `; the last that were set are ${which}, ${utcMinute(newest)}`;
  const due = [
    ...(missing.length === 0 ? [] : [`adds ${list(missing)}`]),
    ...(different.length === 0 ? [] : [`replaces ${list(different)}, which are there in another form`]),
  ].join(' and ');
  const hint =
    'Start Parley again: it registers them then, and its log says what Discord refuses. Until then commands are typed.';
  return [
    { level: 'ok', what: `Discord offers ${right.length} of Parley's slash commands${when}.` },
    ...(due === ''
      ? []
      : isConnected
        ? [
            {
              level: 'warning' as const,
              what: `Parley ${due}, and has not yet, or Discord refuses it.`,
              hint,
            },
          ]
        : [{ level: 'ok' as const, what: `At its next start Parley ${due}.` }]),
    ...(others.length === 0
      ? []
      : [
          {
            level: 'ok' as const,
            what: `Other commands of the application stay as they are: ${others.join(', ')}.`,
          },
        ]),
  ];
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
  const until = utcMinute(limit.resetAtMs);
  if (remaining <= 0)
    return {
      level: 'error',
      what: `All ${total} connections that Discord grants in 24 hours were begun: no other one can be until ${until}.`,
      hint: `Wait until then; what is connected stays so. ${startsHint}`,
    };
  const words = `${remaining} of ${total} connections can still be begun until ${until}.`;
  if (remaining > total * fewStarts) return { level: 'ok', what: words };
  return { level: 'warning', what: `Only ${words}`, hint: startsHint };
}

/** Nothing where one connection is enough and is all there is. */
function shardFindings(wanted: ShardsWanted, info: GatewayInfo): Finding[] {
  const { shards } = planShards(wanted, info);
  const recommended = info.shards === 1 ? 'one shard' : `${info.shards} shards`;
  if (wanted === 'automatic')
    return info.shards === 1
      ? []
      : [{ level: 'ok', what: `The servers are divided among ${recommended}, as Discord recommends.` }];
  const { from, to, of } = wanted;
  const mine = `This program has the shards ${from} to ${to} of ${of}`;
  const rest =
    shards.length === of ? '' : '; the others, also on other machines, must be run with the same "of"';
  const direct = from === 0 ? '' : ' Direct messages come to the one with shard 0.';
  const what = `${mine}${rest}. Discord recommends ${recommended}.${direct}`;
  if (info.shards <= of) return [{ level: 'ok', what }];
  const hint = `Set channels.discord.shards.of to at least ${info.shards} in every program of this bot: Discord refuses a shard with more than 2500 servers.`;
  return [{ level: 'warning', what, hint }];
}

function threadFindings(guilds: z.infer<typeof servers>): Finding[] {
  const missing = guilds.filter(({ permissions: held }) => {
    const bits = BigInt(held);
    return (
      (bits & PermissionFlagsBits.Administrator) === 0n && (bits & threadPermissions) !== threadPermissions
    );
  });
  if (missing.length === 0) return [];
  const named = missing.slice(0, maxNamed).map(({ name }) => name);
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : '';
  return [
    {
      level: 'warning',
      what: `The bot may not answer in threads of its own in ${named.join(', ')}${more}: answers to mentions go into the channel there.`,
      hint: 'In the server open Server Settings, Roles, the bot\'s role, Permissions, and switch on "Create Public Threads" and "Send Messages in Threads"; or set channels.discord.replyInThread to "no thread".',
    },
  ];
}

function inviteHint(applicationID: string, needed: bigint): string {
  const query = new URLSearchParams({
    client_id: applicationID,
    scope: 'bot applications.commands',
    permissions: needed.toString(),
  });
  return `Open https://discord.com/oauth2/authorize?${query} and choose a server; direct messages need one in common.`;
}
