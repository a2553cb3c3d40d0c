// How the channels stand, as the HTTP API returns them: those of the gateway, and those that are switched off. Read at each request.
import type { Gateway } from '#adapters/gateway/gateway.ts';
import type { ChannelReport } from '#engine/wire/channels/channel-report.ts';

const names = ['discord', 'telegram', 'slack'] as const;

/** The reports of an engine whose channels run in another process: it asks that process. */
export function reportsElsewhere(): ChannelReport[] {
  return names.map((name) => ({
    name,
    enabled: false,
    state: 'remote',
    inboxBacklog: 0,
    outboxBacklog: 0,
  }));
}

/** A report for each bot, and for each platform that has none; all are off before there is a gateway. */
export function channelReports(gateway: Gateway | undefined): ChannelReport[] {
  const made = gateway?.status() ?? [];
  return names.flatMap((platform): ChannelReport[] => {
    const own = made.filter((status) => status.platform === platform);
    if (own.length === 0)
      return [{ name: platform, enabled: false, state: 'off', inboxBacklog: 0, outboxBacklog: 0 }];
    return own.map((status) => ({ ...status, enabled: true }));
  });
}
