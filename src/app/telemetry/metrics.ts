// The overview as metrics for Prometheus, made when it scrapes: names in base units, counters end in `_total`.
import type { Counter, Gauge, Registry } from 'prom-client';
import { lookOutcomes } from '#engine/wire/memory/active-memory.ts';
import type { StatusProvider, StatusReport } from '#engine/wire/operator/overview.ts';

/** Runs of today (UTC) by room, the dearest rooms first; those of direct messages are not among them. */
export type RoomUse = readonly { title: string; runs: number; costUSD: number }[];

/** What metrics are made of. */
interface Counted extends StatusReport {
  /** Undefined where the engine runs somewhere else. */
  rooms?: RoomUse | undefined;
}

interface Sample {
  value: number;
  labels?: Record<string, string>;
}

interface Metric {
  name: string;
  help: string;
  kind: 'gauge' | 'counter';
  labels?: readonly string[];
  read(counted: Counted): Sample[];
}

const seconds = (ms: number): number => ms / 1000;
const one = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ value }]);
const byChannel =
  (of: (entry: StatusReport['channels'][string]) => number | null) =>
  ({ channels }: StatusReport): Sample[] =>
    Object.entries(channels).flatMap(([channel, entry]) => {
      const value = entry.enabled ? of(entry) : null;
      return value === null ? [] : [{ value, labels: { channel } }];
    });
const channelTime = (of: (entry: StatusReport['channels'][string]) => number | null) =>
  byChannel((entry) => {
    const at = of(entry);
    return at === null ? null : seconds(at);
  });

/** Every metric of Parley, in the order of the answer. */
export const metrics: readonly Metric[] = [
  {
    name: 'parley_build_info',
    help: 'Always 1, with the version.',
    kind: 'gauge',
    labels: ['version'],
    read: ({ version }) => [{ value: 1, labels: { version } }],
  },
  {
    name: 'parley_ready',
    help: 'Whether the engine takes prompts, no disk refuses and every channel is connected.',
    kind: 'gauge',
    read: ({ ready }) => [{ value: Number(ready) }],
  },
  {
    name: 'parley_active_problems',
    help: 'Things that stand in the way of the whole program, such as a full disk.',
    kind: 'gauge',
    read: ({ problems }) => [{ value: problems.length }],
  },
  {
    name: 'parley_config_last_reload_successful',
    help: 'Whether the config file could be used when it was last read.',
    kind: 'gauge',
    read: ({ config }) => [{ value: Number(config.error === null) }],
  },
  {
    name: 'parley_channel_connected',
    help: 'Whether a channel that is switched on is connected.',
    kind: 'gauge',
    labels: ['channel'],
    read: byChannel(({ connected }) => Number(connected)),
  },
  {
    name: 'parley_channel_last_alive_timestamp_seconds',
    help: 'When the platform was last heard from.',
    kind: 'gauge',
    labels: ['channel'],
    read: channelTime(({ lastAliveMs }) => lastAliveMs),
  },
  {
    name: 'parley_channel_last_inbound_timestamp_seconds',
    help: 'When something of a person last came in.',
    kind: 'gauge',
    labels: ['channel'],
    read: channelTime(({ lastInboundMs }) => lastInboundMs),
  },
  {
    name: 'parley_channel_last_outbound_timestamp_seconds',
    help: 'When the platform last confirmed a message of the bot.',
    kind: 'gauge',
    labels: ['channel'],
    read: channelTime(({ lastOutboundMs }) => lastOutboundMs),
  },
  {
    name: 'parley_inbox_backlog',
    help: 'Messages that were accepted and are not answered.',
    kind: 'gauge',
    labels: ['channel'],
    read: byChannel(({ inboxBacklog }) => inboxBacklog),
  },
  {
    name: 'parley_outbox_backlog',
    help: 'Answers that the platform has not confirmed, or memory not taken over.',
    kind: 'gauge',
    labels: ['channel'],
    read: byChannel(({ outboxBacklog }) => outboxBacklog),
  },
  {
    name: 'parley_channel_leads',
    help: 'Whether this instance leads the account of a channel; only where instances share a database.',
    kind: 'gauge',
    labels: ['channel'],
    read: ({ storage }) =>
      (storage?.accounts ?? []).map(({ channel, leads }) => ({ value: Number(leads), labels: { channel } })),
  },
  {
    name: 'parley_storage_latency_seconds',
    help: 'How long the shared database took to answer at this scrape; missing while it does not.',
    kind: 'gauge',
    read: ({ storage }) =>
      one(storage?.latencyMs === null ? undefined : storage && seconds(storage.latencyMs)),
  },
  {
    name: 'parley_changes_backlog',
    help: 'Edits, deletions and rooms that opened or closed, which memory does not have yet.',
    kind: 'gauge',
    read: ({ lanes }) => one(lanes?.changes),
  },
  {
    name: 'parley_lanes',
    help: 'Sessions of chats in which something is in progress, or a message waits to be begun.',
    kind: 'gauge',
    labels: ['state'],
    read: ({ lanes }) =>
      lanes === null
        ? []
        : (['active', 'waiting'] as const).map((state) => ({ value: lanes[state], labels: { state } })),
  },
  {
    name: 'parley_active_runs',
    help: 'Runs that are active.',
    kind: 'gauge',
    read: ({ engine }) => one(engine?.activeRuns.length),
  },
  {
    name: 'parley_oldest_active_run_start_timestamp_seconds',
    help: 'When the oldest active run began.',
    kind: 'gauge',
    read: ({ engine }) =>
      engine === null || engine.activeRuns.length === 0
        ? []
        : [{ value: seconds(Math.min(...engine.activeRuns.map(({ startedAtMs }) => startedAtMs))) }],
  },
  {
    name: 'parley_pending_requests',
    help: 'Permissions and questions that wait for a person.',
    kind: 'gauge',
    read: ({ engine }) => one(engine?.pendingRequests),
  },
  {
    name: 'parley_runs_total',
    help: 'Runs that ended, by how; `interrupted` ones were stopped with the program, and begun once more.',
    kind: 'counter',
    labels: ['status'],
    read: ({ engine }) =>
      Object.entries(engine?.total.ended ?? {}).map(
        ([status, value]): Sample => ({ value, labels: { status } }),
      ),
  },
  {
    name: 'parley_model_calls_total',
    help: 'Calls of a model that said what they used.',
    kind: 'counter',
    read: ({ engine }) => one(engine?.total.calls),
  },
  {
    name: 'parley_model_tokens_total',
    help: 'Tokens that were sent (`input`, of which `cached_input`) and came back (`output`, of which `reasoning`).',
    kind: 'counter',
    labels: ['kind'],
    read: ({ engine }) =>
      engine === null
        ? []
        : [
            { value: engine.total.inputTokens, labels: { kind: 'input' } },
            { value: engine.total.cachedInputTokens, labels: { kind: 'cached_input' } },
            { value: engine.total.outputTokens, labels: { kind: 'output' } },
            { value: engine.total.reasoningTokens, labels: { kind: 'reasoning' } },
          ],
  },
  {
    name: 'parley_model_cost_usd_total',
    help: 'US dollars, of the runs whose model has a price in the config.',
    kind: 'counter',
    read: ({ engine }) => one(engine === null ? undefined : (engine.total.costUSD ?? 0)),
  },
  {
    name: 'parley_room_runs_today',
    help: 'Runs that began today (UTC), of the 20 rooms in which most was spent.',
    kind: 'gauge',
    labels: ['room'],
    read: ({ rooms = [] }) => rooms.map(({ title, runs }) => ({ value: runs, labels: { room: title } })),
  },
  {
    name: 'parley_room_cost_usd_today',
    help: 'US dollars of today (UTC), of the same rooms, for runs whose model has a price in the config.',
    kind: 'gauge',
    labels: ['room'],
    read: ({ rooms = [] }) =>
      rooms.map(({ title, costUSD }) => ({ value: costUSD, labels: { room: title } })),
  },
  {
    name: 'parley_memory_chunks',
    help: 'Passages that are remembered.',
    kind: 'gauge',
    read: ({ memory }) => one(memory?.chunks),
  },
  {
    name: 'parley_memory_vectors',
    help: 'Passages that have a vector.',
    kind: 'gauge',
    read: ({ memory }) => one(memory?.vectors),
  },
  {
    name: 'parley_memory_looks_total',
    help: 'Looks into memory before answers, by how they ended; `paused` ones were not begun.',
    kind: 'counter',
    labels: ['outcome'],
    read: ({ engine }) =>
      lookOutcomes.flatMap((outcome): Sample[] =>
        engine?.activeMemory === undefined
          ? []
          : [{ value: engine.activeMemory[outcome], labels: { outcome } }],
      ),
  },
  {
    name: 'parley_memory_degraded',
    help: 'Things that memory has to do without.',
    kind: 'gauge',
    read: ({ memory }) => one(memory?.degraded.length),
  },
];

/**
 * Metrics of the overview and of the process (`process_...`, `nodejs_...`); the library is loaded at the first scrape, and
 * the event loop is watched only from then on.
 */
export function createMetrics(
  overview: () => Promise<StatusReport>,
  rooms: () => Promise<RoomUse | undefined>,
): StatusProvider['metrics'] {
  let made: Promise<{ registry: Registry; set: (now: Counted) => void }> | undefined;
  return async () => {
    made ??= makeRegistry();
    const { registry, set } = await made;
    set({ ...(await overview()), rooms: await rooms() });
    return { type: registry.contentType, text: await registry.metrics() };
  };
}

async function makeRegistry(): Promise<{ registry: Registry; set: (now: Counted) => void }> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const sinks = metrics.map((metric) => {
    const { name, help, labels: labelNames = [] } = metric;
    const options = { name, help, labelNames, registers };
    const sink: Gauge | Counter =
      metric.kind === 'gauge' ? new prometheus.Gauge(options) : new prometheus.Counter(options);
    return { metric, sink };
  });
  return {
    registry,
    set(now) {
      for (const { metric, sink } of sinks) {
        sink.reset();
        const samples = metric.read(now);
        // of a metric without labels the library would report a zero where there is nothing
        if (samples.length === 0 && metric.labels === undefined) sink.remove();
        // a counter that is set again to what the database has counted: it starts where it was before a restart
        for (const { value, labels = {} } of samples) sink.inc(labels, value);
      }
    },
  };
}
