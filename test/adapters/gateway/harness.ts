// A gateway over a scripted channel and a scripted engine, on a clock that the test moves; it can be killed and started again.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import type { AssistantRules } from '#adapters/gateway/admission/assistants.ts';
import type { Limits } from '#adapters/gateway/admission/limits.ts';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import type { SessionsBy } from '#adapters/gateway/ledger/lane.ts';
import {
  type ApprovalLocation,
  type ChannelAccess,
  type NamedPerson,
  openAccess,
} from '#adapters/gateway/terms/access-types.ts';
import type { ActivityIndicators } from '#adapters/gateway/terms/activity-indicators.ts';
import { createIds } from '#base/ids.ts';
import type { Tracing } from '#base/tracing.ts';
import { gatewayDatabase, putEmpty } from '../../support/empty-database.ts';
import { createManualClock, type ManualClock, settle } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createScriptedChannel, type ScriptedChannel } from './scripted-channel.ts';
import { createScriptedEngine, type ScriptedEngine } from './scripted-engine.ts';

export interface Harness {
  gateway: Gateway;
  channel: ScriptedChannel;
  engine: ScriptedEngine;
  clock: ManualClock;
  /** Moves time past the debounce and lets everything happen. */
  pass(ms?: number): Promise<void>;
  /** Lets time pass until `look` finds something: for work that waits for the disk, not only for the clock. */
  seen<T>(what: string, look: () => T | undefined): Promise<T>;
  /** Path of gateway.sqlite. */
  path: string;
  /** Log lines so far. */
  lines: string[];
  /** Ends the gateway, at once unless it is given time, and starts another one on the same ledger and platform. */
  restart(deadlineMs?: number): Promise<void>;
  /** The same as a killed process leaves it: nothing that was begun has been put off in good order. */
  kill(): Promise<void>;
}

export interface HarnessOptions {
  channel?: ScriptedChannel;
  /** Further bots. */
  others?: ScriptedChannel[];
  engine?: ScriptedEngine;
  sessions?: SessionsBy;
  /** Everyone is admitted, and an owner, unless set otherwise. */
  access?: ChannelAccess;
  people?: Record<string, string[] | NamedPerson>;
  approvers?: string[];
  asked?: ApprovalLocation;
  redact?: (text: string) => Promise<string>;
  indicators?: ActivityIndicators;
  limits?: Limits;
  sharing?: 'everyone';
  assistants?: AssistantRules;
  tracing?: Tracing;
  clock?: ManualClock;
}

export async function startHarness(t: TestContext, options: HarnessOptions = {}): Promise<Harness> {
  const folder = tempFolder(t);
  const clock = options.clock ?? createManualClock();
  const channel = options.channel ?? createScriptedChannel();
  const engine = options.engine ?? createScriptedEngine();
  const path = join(folder, 'gateway.sqlite');
  putEmpty(gatewayDatabase, path);
  const { log, lines } = quietLog();
  const open = (): Gateway => {
    const gateway = createGateway({
      path,
      engine,
      channels: [channel, ...(options.others ?? [])].map((each) => ({
        channel: each,
        talk: () => ({
          sessions: options.sessions ?? 'room',
          access: options.access ?? openAccess('owner'),
          indicators: options.indicators,
        }),
      })),
      people: Object.fromEntries(
        Object.entries(options.people ?? {}).map(([name, named]) => [
          name,
          Array.isArray(named) ? { role: 'member' as const, accounts: named } : named,
        ]),
      ),
      settings: () => ({
        approvals: { approvers: options.approvers, asked: options.asked },
        limits: options.limits,
        sharing: options.sharing,
        agent: 'Parley',
        assistants: options.assistants,
        debounceMs: 100,
      }),
      redact: options.redact,
      tracing: options.tracing,
      clock,
      newId: createIds(clock),
      log,
    });
    gateway.start();
    return gateway;
  };
  const shut = async (gateway: Gateway, deadlineMs = 0): Promise<void> => {
    const closed = gateway.close(deadlineMs);
    await clock.advance(1);
    await closed;
  };
  const harness: Harness = {
    gateway: open(),
    channel,
    engine,
    clock,
    path,
    lines,
    pass: (ms = 150) => clock.advance(ms),
    async seen(what, look) {
      for (let turns = 0; turns < 2_000; turns += 1) {
        const value = look();
        if (value !== undefined) return value;
        await clock.advance(150);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      throw new Error(`${what} did not come`);
    },
    async kill() {
      const file = new Database(path);
      const before = file.prepare('SELECT id, attempts FROM turns').all() as {
        id: string;
        attempts: number;
      }[];
      file.close();
      await shut(harness.gateway);
      const after = new Database(path);
      for (const turn of before)
        after.prepare("UPDATE turns SET attempts = :attempts WHERE id = :id AND state = 'running'").run(turn);
      after.close();
      engine.interruptAll();
      harness.gateway = open();
      await settle();
    },
    async restart(deadlineMs) {
      await shut(harness.gateway, deadlineMs);
      engine.interruptAll();
      harness.gateway = open();
      await settle();
    },
  };
  t.after(() => shut(harness.gateway));
  await settle();
  return harness;
}
