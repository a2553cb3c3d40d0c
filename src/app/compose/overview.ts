// How this process stands, gathered when someone asks: channels, lanes, runs, memory, money. Nothing is counted on the path of a message.

import type { Gateway } from '#adapters/gateway/gateway.ts';
import type { RoomUse } from '#app/telemetry/metrics.ts';
import {
  type ChannelReports,
  isChannelWell,
  ownOfChannel,
  wireChannelEntry,
} from '#engine/wire/channels/channel-report.ts';
import { isChat } from '#engine/wire/channels/place-title.ts';
import type { McpStanding } from '#engine/wire/operator/mcp-standing.ts';
import type { StatusReport } from '#engine/wire/operator/overview.ts';
import type { Prunable } from '#engine/wire/operator/prunable.ts';
import type { FinalStatus, UsageSum } from '#engine/wire/runs/usage.ts';
import type { StandingSchedules } from '#engine/wire/schedules/schedule-standing.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { StandingTeams } from '#engine/wire/teams/team-standing.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Storage } from './open-storage.ts';
import type { ProcessContext } from './process-context.ts';

export interface Overseen {
  channels: ChannelReports;
  /** Undefined where the channels run somewhere else. */
  gateway?: (() => Gateway | undefined) | undefined;
  /** Undefined where the channels run somewhere else. */
  mcp?: (() => McpStanding | undefined) | undefined;
  /** Undefined where the engine runs somewhere else. */
  engine?: (EngineService & Prunable & StandingSchedules & StandingTeams) | undefined;
  memory?: Memory | undefined;
  /** Undefined where there is no shared database, and where the channels run somewhere else. */
  storage?: Pick<Storage, 'standing'> | undefined;
  /** Whether everything that this part needs takes work. */
  ready(): Promise<boolean>;
}

type Sums = NonNullable<StatusReport['engine']>['total'];

const dayMs = 24 * 3600_000;
const countedMs = 60_000;
/** Ten years: the days of which the sums are read once. */
const maxDays = 3_660;

/** Collects the status report of a running part. */
export function createOverview(
  { clock, version, problems, live }: Pick<ProcessContext, 'clock' | 'version' | 'problems' | 'live'>,
  { channels, gateway, mcp, engine, memory, storage, ready }: Overseen,
): () => Promise<StatusReport> {
  const startedAtMs = clock.now();
  const usage = engine && createUsage(engine, () => clock.now());
  const engineNow = async (): Promise<StatusReport['engine']> => {
    if (engine === undefined || usage === undefined) return null;
    const [{ model }, activeRuns, permissions, questions, schedules, teams, looks, learned, sums] =
      await Promise.all([
        engine.health(),
        engine.activeRuns(),
        engine.permissions(),
        engine.questions(),
        engine.scheduleStanding(),
        engine.teamStanding(),
        engine.activeMemory({}),
        engine.learnedModels(),
        usage(),
      ]);
    return {
      model,
      activeRuns: activeRuns.map(({ runID, sessionID, startedAtMs: at }) => ({
        runID,
        sessionID,
        startedAtMs: at,
      })),
      pendingRequests: permissions.length + questions.length,
      schedules,
      ...(teams === undefined ? {} : { teams }),
      ...(looks.counts !== null && { activeMemory: looks.counts }),
      ...(learned.length === 0 ? {} : { learned }),
      ...sums,
    };
  };
  /** To count takes some milliseconds in a large file, so it is done once a minute at most. */
  let counts: { at: number; stored: NonNullable<StatusReport['stored']> } | undefined;
  const counted = async (): Promise<NonNullable<StatusReport['stored']>> => {
    if (counts !== undefined && clock.now() - counts.at < countedMs) return counts.stored;
    const { inbox = null, outbox = null } = gateway?.()?.ledgerContent.count() ?? {};
    const [events, audit] = await Promise.all([
      engine?.countEvents() ?? null,
      memory?.countAudit().catch(() => null) ?? null,
    ]);
    counts = { at: clock.now(), stored: { inbox, outbox, events, audit } };
    return counts.stored;
  };
  return async () => {
    const reports = channels();
    const list = problems.list();
    const enabled = reports.filter((each) => each.enabled);
    return {
      version,
      startedAtMs,
      ready: (await ready()) && list.length === 0 && enabled.every(isChannelWell),
      config: live.standing(),
      problems: list.map(({ hint, ...problem }) => ({ ...problem, hint: hint ?? null })),
      channels: Object.fromEntries(
        reports.map((report) => [report.name, ownOfChannel(wireChannelEntry(report), list)]),
      ),
      lanes: gateway?.()?.lanes() ?? null,
      mcp: mcp?.(),
      engine: await engineNow(),
      // what is wrong with a memory that gives no status is on the board of problems
      memory: (await memory?.status().catch(() => null)) ?? null,
      ...(storage === undefined ? {} : { storage: await storage.standing() }),
      stored: await counted(),
    };
  };
}

/** Rooms that metrics name: a label for each costs Prometheus a series. */
const maxRooms = 20;
/** Read of sums, to be left with so many rooms without the direct messages among them. */
const maxSums = 1_000;

/** What was used today (UTC) in the rooms in which most was spent; rooms that are called alike are one. */
export function createRoomUse(
  { clock }: Pick<ProcessContext, 'clock'>,
  engine: Pick<EngineService, 'usage'> | undefined,
): () => Promise<RoomUse | undefined> {
  return async () => {
    if (engine === undefined) return undefined;
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const sums = await engine.usage({ by: 'room', from: today, limit: maxSums });
    const rooms = sums.filter(({ of }) => of !== undefined && isChat(of) && of.split(':')[1] !== 'dm');
    return [...Map.groupBy(rooms, ({ title }) => title ?? '')].slice(0, maxRooms).map(([title, all]) => ({
      title,
      runs: all.reduce((sum, { runs }) => sum + runs, 0),
      costUSD: all.reduce((sum, { costUSD = 0 }) => sum + costUSD, 0),
    }));
  };
}

/** What models were used for. Days that are over do not change: they are summed up once, and the last two each time. */
function createUsage(engine: EngineService, now: () => number): () => Promise<{ today: Sums; total: Sums }> {
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
  let past: { before: string; sums: Sums } | undefined;
  return async () => {
    const [today, yesterday] = [dayOf(now()), dayOf(now() - dayMs)];
    if (past?.before !== yesterday) {
      const until = dayOf(now() - 2 * dayMs);
      const days = await engine.usage({ by: 'day', until, limit: maxDays });
      past = { before: yesterday, sums: sumOf(days) };
    }
    const recent = await engine.usage({ by: 'day', from: yesterday, limit: maxDays });
    return {
      today: sumOf(recent.filter(({ day }) => day === today)),
      total: sumOf([past.sums, ...recent]),
    };
  };
}

function sumOf(sums: readonly UsageSum[]): Sums {
  const add = (of: (each: UsageSum) => number): number => sums.reduce((all, each) => all + of(each), 0);
  const ended = (status: FinalStatus): number => add((each) => each.ended[status]);
  const priced = sums.filter(({ costUSD }) => costUSD !== undefined);
  return {
    calls: add(({ calls }) => calls),
    inputTokens: add(({ inputTokens }) => inputTokens),
    cachedInputTokens: add(({ cachedInputTokens }) => cachedInputTokens),
    outputTokens: add(({ outputTokens }) => outputTokens),
    reasoningTokens: add(({ reasoningTokens }) => reasoningTokens),
    runs: add(({ runs }) => runs),
    unpricedRuns: add(({ unpricedRuns }) => unpricedRuns),
    ended: {
      completed: ended('completed'),
      error: ended('error'),
      timeout: ended('timeout'),
      cancelled: ended('cancelled'),
      interrupted: ended('interrupted'),
    },
    ...(priced.length === 0 ? {} : { costUSD: add(({ costUSD = 0 }) => costUSD) }),
  };
}
