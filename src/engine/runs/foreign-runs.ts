// Which runs of a conversation wrote in the memory of another agent than the one that answers now.
import { type Agents, partitionOfRun } from '#engine/context/agents.ts';
import type { RunRows } from './tables/run-rows.ts';

/**
 * Asks the rows of runs; gives undefined where no run of the session is foreign, which one statement says. The messages of a fork are of
 * runs of the sessions that it came from, which `parentOf` knows.
 */
export function createForeignRuns(
  runs: Pick<RunRows, 'partitionsOf' | 'get'>,
  agents: Pick<Agents, 'named'>,
  parentOf: (sessionID: string) => string | undefined = () => undefined,
) {
  return (sessionID: string, partition: string | undefined): ((runID: string) => boolean) | undefined => {
    const all: (string | null)[] = [];
    for (let id: string | undefined = sessionID; id !== undefined; id = parentOf(id))
      all.push(...runs.partitionsOf(id));
    const isOwn = (written: string | null): boolean => written !== null && written === (partition ?? '');
    if (all.every(isOwn)) return undefined;
    const isForeign = (runID: string): boolean => {
      const run = runs.get(runID);
      return run !== undefined && partitionOfRun(run, agents) !== partition;
    };
    // of rows of an earlier version only the config knows it
    return all.some((written) => written !== null && !isOwn(written)) || partition !== undefined
      ? isForeign
      : undefined;
  };
}
