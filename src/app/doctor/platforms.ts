// The doctor on the platforms: each account asked through its own client library, and what the running program knows of it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readActiveRooms } from '#adapters/gateway/ledger/bindings.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { type Channel, type ConnectionInfo, channelName } from '#adapters/gateway/terms/channel.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { createChannels, tokenNames, unusedAccounts } from '#app/settings/channels.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { ChannelEntry } from '#engine/wire/channels/channel-report.ts';
import { type Diagnostic, type DiagnosticSection, errorFinding, ok, warning } from './diagnostic.ts';

interface PlatformOptions {
  clock: Clock;
  log: Log;
  /** How long someone else's poll is waited for. */
  probeSeconds: number;
  /** Accounts that an instance leads, here or elsewhere: nobody else's poll is looked for there, since it would end that one's. */
  led: ReadonlySet<string>;
  /** What the running program says of its channels; undefined when none runs. */
  running: Readonly<Record<string, ChannelEntry>> | undefined;
}

const timeoutMs = 30_000;
const platforms = ['discord', 'telegram', 'slack'] as const;

/** A URL of each platform that answers without a token, to compare clocks. */
export function openAddresses({
  channels: { discord, telegram, slack },
}: Pick<LoadedConfig['config'], 'channels'>) {
  return {
    discord: `${discord.apiUrl ?? 'https://discord.com/api'}/v10/gateway`,
    telegram: telegram.apiUrl ?? 'https://api.telegram.org',
    slack: `${slack.apiUrl ?? 'https://slack.com/api/'}api.test`,
  };
}

/** One section for each platform; a platform that is not enabled gets one line. */
export async function checkPlatforms(
  loaded: LoadedConfig,
  options: PlatformOptions,
): Promise<DiagnosticSection[]> {
  const { config, environment } = loaded;
  const made = await createChannels(() => config.channels, environment, options);
  const chapters = await Promise.all(
    platforms.map(async (platform) => {
      const channels = made.filter(({ channel }) => channel.platform === platform);
      const checked = channels.map(async ({ channel, account }) => ({
        about: channelName(channel),
        remarks: await checkChannel(channel, {
          ...options,
          account,
          rooms: activeRooms(loaded.home, channel),
        }),
      }));
      if (checked.length > 0) return await Promise.all(checked);
      const off = config.channels[platform].enabled ? `no token (${tokenNames[platform]})` : 'switched off';
      return [{ about: platform, remarks: [ok(`Not connected: ${off}.`)] }];
    }),
  ).then((all) => all.flat());
  const unused = unusedAccounts(config.channels, environment);
  chapters[0]?.remarks.push(
    ...unused.map((words) =>
      warning(words, `Set the token in ${join(loaded.folder, '.env')}, or delete what is not used.`),
    ),
  );
  if (made.length === 0)
    chapters[0]?.remarks.push(ok('With no platform at all "parley start" plays in the sandbox.'));
  return chapters;
}

/** The chats in which people wrote to this bot; none when the ledger cannot be read, which another check reports. */
function activeRooms(home: string, bot: Pick<Channel, 'platform' | 'accountName'>): Address[] {
  const path = join(home, 'gateway.sqlite');
  try {
    return existsSync(path) ? readActiveRooms(path, bot) : [];
  } catch {
    return [];
  }
}

async function checkChannel(
  channel: Channel,
  {
    clock,
    running,
    probeSeconds,
    led,
    account,
    rooms,
  }: PlatformOptions & { account: string; rooms: readonly Address[] },
): Promise<Diagnostic[]> {
  const entry = running?.[channelName(channel)];
  const isFree = running === undefined && !led.has(account);
  const standing = isFree ? { connected: false as const, probeSeconds } : standingOf(entry);
  try {
    const findings = await withTimeout({ clock, ms: timeoutMs, what: 'The check of the account' }, () =>
      channel.check(standing, rooms),
    );
    return [...findings, ...remarksOn(entry)];
  } catch (error) {
    return [
      errorFinding(
        `The account could not be looked at: ${errorMessage(error)}`,
        'Check the network and try again.',
      ),
      ...remarksOn(entry),
    ];
  }
}

/** One that is trying to connect may poll at any moment, and would be taken for someone else: of it nothing is known. */
function standingOf(entry: ChannelEntry | undefined): ConnectionInfo | undefined {
  if (entry?.connected !== true || entry.sinceMs === null) return undefined;
  return { connected: true, sinceMs: entry.sinceMs, lastInboundMs: entry.lastInboundMs ?? undefined };
}

/** What the running program says of a channel that is looked at here. */
function remarksOn(entry: ChannelEntry | undefined): Diagnostic[] {
  if (entry === undefined) return [];
  if (!entry.enabled)
    return [
      warning(
        'The Parley that runs was started without this channel.',
        'Start it again: it reads the tokens at its start.',
      ),
    ];
  if (entry.state === 'standby')
    return [
      ok('The Parley that runs is connected to nothing here: another instance leads this account, or may.'),
    ];
  if (!entry.connected)
    return [
      errorFinding(
        `The Parley that runs is not connected (${entry.state}). ${entry.problem ?? ''}`.trim(),
        'See what is named above; once it is fixed, the channel connects on its own, or after a new start where it says "failed".',
      ),
    ];
  const waiting = entry.inboxBacklog + entry.outboxBacklog;
  return [
    ...(entry.problem === null
      ? []
      : [warning(entry.problem, 'See what is named there; what passes on its own is tried again.')]),
    ok(`The Parley that runs is connected${waiting === 0 ? '' : `; ${waiting} messages are in progress`}.`),
  ];
}
