// What two machines have to hold besides the account of the messages, and their numbers.
import { percentile } from '../gateway/figures.ts';
import { accountFor, type Sent } from '../harness/account.ts';
import type { LoadUsers } from '../harness/load-users.ts';
import { lookAt } from '../harness/look.ts';
import type { Stage } from '../harness/stage.ts';
import type { Machines } from './machines.ts';

/** 95 of 100 takeovers take no longer, in milliseconds. */
export const failoverMs = 15_000;

/** What is wrong with how the lead went from one to the other, in sentences. */
export function takeoverFaults(taken: readonly number[]): string[] {
  if (taken.length === 0) return ['no instance ever took over'];
  const p95 = percentile(taken, 0.95);
  return p95 < failoverMs ? [] : [`failover p95 is ${Math.round(p95)} ms, and ${failoverMs} is the bound`];
}

/**
 * How many answers are out of order among the messages that one instance took in. What two instances took in has an order only where they
 * share their inbox.
 */
function outOfOrderInOne(stage: Stage, users: Pick<LoadUsers, 'sent'>): number {
  const { book } = stage.model;
  const existed = stage.existed();
  const count = (sent: readonly Sent[]): number =>
    accountFor({ sent, existed, book, archives: [] }).outOfOrder;
  const ofParts = count([]);
  return stage.homes.reduce((sum, home) => {
    const accepted = lookAt(home)?.accepted ?? new Set();
    const its = users.sent.filter(({ platform, id }) => accepted.has(`${platform} ${id}`));
    return sum + count(its) - ofParts;
  }, ofParts);
}

/** The numbers of the last line. */
export function machineCounts(
  { stage, users, machines }: { stage: Stage; users: Pick<LoadUsers, 'sent'>; machines: Machines },
  done: ReadonlyMap<string, number>,
) {
  const { taken } = machines.failovers;
  const ms = (value: number): number | null => (taken.length === 0 ? null : Math.round(value));
  return {
    outOfOrderInOneHome: outOfOrderInOne(stage, users),
    killed: machines.killed,
    failovers: {
      count: taken.length,
      p50Ms: ms(percentile(taken, 0.5)),
      p95Ms: ms(percentile(taken, 0.95)),
      mostMs: ms(Math.max(...taken)),
    },
    problems: Object.fromEntries([...done].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** What people said in each exchange that memory has in the shared database, where it is there. */
export async function sharedArchives({ server, url }: Machines): Promise<string[]> {
  const [table] = await server.run("SELECT to_regclass('global_memory_chunks') IS NOT NULL AS here", url);
  if (table?.here !== true) return [];
  const rows = await server.run(
    "SELECT string_agg(user_text, ' ') AS said FROM global_memory_chunks GROUP BY source_key",
    url,
  );
  return rows.map(({ said }) => String(said ?? ''));
}
