// The state of one channel, as `GET /channels/status` and `GET /global/health` report it.
import { z } from 'zod';

/** A channel as its owner sees it now; times in milliseconds since the epoch. */
export interface ChannelReport {
  name: string;
  /** False when the config switches it off or its token is missing: it makes no call. */
  enabled: boolean;
  /** `remote`: in another process, which answers the same question itself. `standby`: another instance leads the account, or may. */
  state: 'off' | 'remote' | 'connecting' | 'ready' | 'reconnecting' | 'standby' | 'stopped' | 'failed';
  sinceMs?: number | undefined;
  /** When the platform was last heard from: a poll, a heartbeat. */
  lastAliveMs?: number | undefined;
  lastInboundMs?: number | undefined;
  lastOutboundMs?: number | undefined;
  inboxBacklog: number;
  outboxBacklog: number;
  /** What stands in the way now, in words with its hint. */
  problem?: string | undefined;
  /** The last problem, which may be over. */
  lastError?: { words: string; atMs: number } | undefined;
  /** What its chats refused within the last day, once for each, with the hint; the newest first. */
  refused?: readonly string[] | undefined;
}

/** Whether nothing is amiss with a channel: it is connected, or waits for an account that another instance leads. */
export function isChannelWell({ state }: Pick<ChannelReport, 'state'>): boolean {
  return state === 'ready' || state === 'standby';
}

/** Called at every request, so that nobody is shown how it was when the program started. */
export type ChannelReports = () => readonly ChannelReport[];

const time = z.number().nullable();

/** The same on the wire. */
export const channelEntry = z.object({
  enabled: z.boolean(),
  connected: z.boolean(),
  state: z.string(),
  sinceMs: time,
  lastAliveMs: time,
  lastInboundMs: time,
  lastOutboundMs: time,
  inboxBacklog: z.number(),
  outboxBacklog: z.number(),
  problem: z.string().nullable(),
  lastError: z.string().nullable(),
  lastErrorAtMs: time,
  refused: z.array(z.string()).default([]).describe('What its chats refused within the last day'),
});
export type ChannelEntry = z.infer<typeof channelEntry>;

/** A channel as the wire has it. */
export function wireChannelEntry(report: ChannelReport): ChannelEntry {
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
    problem: report.problem ?? null,
    lastError: report.lastError?.words ?? null,
    lastErrorAtMs: report.lastError?.atMs ?? null,
    refused: [...(report.refused ?? [])],
  };
}

/** The entry without what stands in the way of the whole program, which is said once elsewhere: only what is the channel's own. */
export function ownOfChannel(
  entry: ChannelEntry,
  shared: readonly { message: string; hint?: string | null | undefined }[],
): ChannelEntry {
  const own = (text: string | null): string | null => {
    const rest = shared.reduce(
      (left, { message, hint }) => left.replace(hint ? `${message} ${hint}` : message, ''),
      text ?? '',
    );
    return rest.trim() || null;
  };
  const lastError = own(entry.lastError);
  const lastErrorAtMs = lastError === null ? null : entry.lastErrorAtMs;
  return { ...entry, problem: own(entry.problem), lastError, lastErrorAtMs };
}
