// `GET /channels/status`: how each channel stands at this moment. Not what makes it so: the channels are told of from outside.
import { z } from 'zod';
import {
  type ChannelEntry,
  type ChannelReport,
  type ChannelReports,
  channelEntry,
} from '#engine/wire/channel-report.ts';
import { defineRoute, type Route } from './route.ts';

/** The route, behind the token like the others: an object with an entry for each channel. */
export function channelsRoute(channels: ChannelReports): Route {
  return defineRoute({
    method: 'GET',
    path: '/channels/status',
    tag: 'service',
    summary: 'How each channel stands at this moment',
    answers: { 200: { about: 'By channel', schema: z.record(z.string(), channelEntry) } },
    handle: (c) => c.json(Object.fromEntries(channels().map((report) => [report.name, entryOf(report)]))),
  });
}

function entryOf(report: ChannelReport): ChannelEntry {
  return {
    enabled: report.enabled,
    connected: report.state === 'ready',
    state: report.state,
    sinceMs: report.sinceMs ?? null,
    lastAliveMs: report.lastAliveMs ?? null,
    lastInboundMs: report.lastInboundMs ?? null,
    lastOutboundMs: report.lastOutboundMs ?? null,
    inboxBacklog: report.inboxBacklog,
    outboxBacklog: report.outboxBacklog,
    trouble: report.trouble ?? null,
    lastError: report.lastError?.words ?? null,
    lastErrorAtMs: report.lastError?.atMs ?? null,
  };
}
