// `GET /channels/status`: how each channel is at this moment.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { type ChannelReports, channelEntry, wireChannelEntry } from '#engine/wire/channels/channel-report.ts';

/** The route, behind the token like the others: an object with an entry for each channel. */
export function channelsRoute(channels: ChannelReports): Route {
  return defineRoute({
    method: 'GET',
    path: '/channels/status',
    tag: 'service',
    summary: 'The state of each channel at this moment',
    answers: { 200: { about: 'By channel', schema: z.record(z.string(), channelEntry) } },
    handle: (c) =>
      c.json(Object.fromEntries(channels().map((report) => [report.name, wireChannelEntry(report)]))),
  });
}
