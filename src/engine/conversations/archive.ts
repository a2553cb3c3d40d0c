// The hand-over of delivered exchanges to memory: idempotent, from a durable row, again after a restart.

import { errorMessage, ParleyError } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { type Agents, partitionOfRun } from '#engine/context/agents.ts';
import { provenanceOf } from '#engine/context/scope-of.ts';
import { wordsOfMessage } from '#engine/context/speech.ts';
import { isAcknowledgement } from '#engine/providers/offline/turn.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import type { Delivery } from '#engine/wire/run-operations.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { PassageUse } from '#memory/types/dreaming.ts';
import type { ArchiveResult, Exchange } from '#memory/types/exchange.ts';

export interface RunArchive {
  /** Notes a delivery, then archives the exchange; once, however often it is called. */
  delivered(delivery: Delivery): Promise<void>;
  /** Archives what was delivered before the process ended. One that fails stays for the next start. */
  resume(): Promise<void>;
  /**
   * Runs `change`, which gives the words of this run another form, while its exchange is not handed over: no hand-over has the former
   * words afterwards. Then archives the exchange once more where the run was delivered and `change` has taken it back.
   */
  changing(runID: string, change: () => Promise<void>): Promise<void>;
  /** Runs `work` while the words of none of these runs are given another form, and none of them is handed over. */
  whileUnchanged<T>(runIDs: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Resolves when no hand-over is in progress. */
  settled(): Promise<void>;
}

/** Passages that an answer is compared with; what was recalled last comes first. */
const maxRecalled = 500;

/** A command that a chat understands on its own: `/new`, `/help@bot topic`; not a path such as `/etc/hosts`. */
const slashCommand = /^\/[a-z][\w-]*(@\w+)?(\s|$)/i;

/** The hand-over between the runs and memory. */
export function createRunArchive(options: {
  tables: RunTables;
  memory: Memory;
  agents: Agents;
  log: Log;
}): RunArchive {
  const { tables, memory, agents, log } = options;
  const { runs, events } = tables;
  /** By run, the end of the last thing that is done for it; it never rejects. */
  const turns = new Map<string, Promise<void>>();

  /** Whether the answer repeats one that it may have been shown and that was to words which were taken back: that one stays in its chat, and so does this one. */
  const repeatsOutdated = (run: StoredRun, { userText }: Exchange): boolean => {
    const outdated = runs.outdatedFor(run);
    if (outdated.length === 0) return false;
    const stemsOf = (words: string): string[] => memory.tellingWords(words).map(({ stem }) => stem);
    const asked = new Set(stemsOf(userText));
    const taken = new Set(outdated.flatMap(stemsOf).filter((stem) => !asked.has(stem)));
    return stemsOf(run.text).some((stem) => taken.has(stem));
  };

  const handOver = async (run: StoredRun, noteDelivery: () => void): Promise<void> => {
    const agent = agents.named(run.agent);
    const saved = (agent.memory ?? 'full') === 'full';
    const found = saved ? exchangeOf(tables, run, partitionOfRun(run, agents)) : undefined;
    const isOutdated = found !== undefined && repeatsOutdated(run, found);
    // what the offline model says to a statement is about itself, and nothing to remember
    const bare = isOutdated || isAcknowledgement(found?.assistantText ?? '');
    const exchange = found && bare ? { ...found, assistantText: '' } : found;
    let archived: ArchiveResult['status'] | 'skipped' = 'skipped';
    try {
      if (exchange !== undefined) {
        archived = (await memory.archive(exchange)).status;
        await memory.recordUse(useOf(run, exchange));
      }
    } catch (error) {
      events.commit(noteDelivery); // delivered it is, whatever memory says
      throw error;
    }
    await events.together(() => {
      noteDelivery();
      if (isOutdated) runs.setOutdated(run.runID);
      runs.setArchived(run.runID, archived);
    });
    log.debug({ runID: run.runID, archived }, 'exchange handed to memory');
  };
  /** Does one thing for a run after the other. */
  const inTurn = async <T>(runID: string, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(runID);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    turns.set(runID, ended);
    try {
      await before;
      return await work();
    } finally {
      if (turns.get(runID) === ended) turns.delete(runID);
      end();
    }
  };
  /** Archives the exchange of the run as it is in its turn, unless that was done in the meantime. */
  const archive = async (run: StoredRun | undefined, noteDelivery = (): void => {}): Promise<void> => {
    if (run === undefined) return;
    if (run.archived === undefined) await handOver(run, noteDelivery);
    else if (run.deliveredAtMs === undefined) events.commit(noteDelivery);
  };

  return {
    async delivered({ runID, deliveredAtMs, nativeIDs }) {
      const noteDelivery = (): void => runs.deliver(runID, deliveredAtMs, nativeIDs);
      await inTurn(runID, async () => {
        const run = runs.get(runID);
        if (run === undefined) {
          // Its session was deleted since: there is nothing to remember, and its delivery is complete.
          if (tables.usage.get(runID) !== undefined) return;
          throw new ParleyError('run_not_found', `There is no run ${JSON.stringify(runID)} to be delivered.`);
        }
        if (run.status === 'running') {
          throw new ParleyError(
            'run_not_ended',
            `The run ${runID} is running; it cannot have been delivered.`,
          );
        }
        await archive(run, noteDelivery);
      });
    },
    async resume() {
      for (const run of runs.toArchive()) {
        const refused = await inTurn(run.runID, () => archive(runs.get(run.runID))).then(
          () => false,
          (error: unknown) => {
            log.error(
              { runID: run.runID, error: errorMessage(error) },
              'an exchange could not be archived yet',
            );
            return isDiskFailure(error);
          },
        );
        if (refused) return; // what the disk refuses once, it refuses for all; who delivered them asks again
      }
    },
    changing: (runID, change) =>
      inTurn(runID, async () => {
        await change();
        const run = runs.get(runID);
        if (run?.deliveredAtMs !== undefined) await archive(run);
      }),
    whileUnchanged: (runIDs, work) => runIDs.reduce((inner, runID) => () => inTurn(runID, inner), work)(),
    async settled() {
      await Promise.all(turns.values());
    },
  };
}

/** What the run was given of memory, for the count of what its answer used. */
function useOf({ runID, sessionID, given, recalled, seenRuns }: StoredRun, exchange: Exchange): PassageUse {
  return {
    ...{ runID, sessionID, at: exchange.at, person: exchange.speaker.person },
    audience: exchange.where.audience,
    question: exchange.userText,
    answer: exchange.assistantText,
    passages: given?.passages ?? [],
    injected: recalled.slice(0, given?.injected ?? 0),
    inView: seenRuns,
  };
}

/** The exchange of a run as memory takes it; undefined when there is nothing that may be stored. */
function exchangeOf(
  { conversation, runs }: RunTables,
  run: StoredRun,
  partition: string | undefined,
): Exchange | undefined {
  const { origin, sessionID, runID } = run;
  const session = conversation.sessions.lasting(sessionID);
  const message = conversation.messages.get(run.userMessageID);
  if (run.status !== 'completed' || origin === undefined || session?.sourceKind !== 'channel')
    return undefined;
  if (message === undefined) return undefined;
  const whole: StoredMessage = { ...message, parts: conversation.parts.ofMessage(message.id) };
  const userText = withoutNotes(removeMemoryBlocks(wordsOfMessage(whole)));
  if (userText === '' || slashCommand.test(userText)) return undefined;
  const nativeIDs = new Set(whole.parts.flatMap((part) => ('nativeID' in part && part.nativeID) || []));
  return {
    key: runID,
    userText,
    assistantText: run.outdated === true ? '' : run.text,
    recalled: [...new Set([...run.recalled, ...runs.recalledIn(run.seenRuns)])].slice(0, maxRecalled),
    at: origin.at,
    speaker: origin.speaker,
    where: { ...provenanceOf(origin), ...(partition !== undefined && { partition }) },
    platform: origin.platform,
    chat: origin.chat,
    sessionID,
    runID,
    messageIDs: [run.userMessageID, run.assistantMessageID],
    ...(nativeIDs.size === 0 ? {} : { nativeIDs: [...nativeIDs] }),
    ...(run.reworded === true && { again: true }),
    ...defined({ projectID: session.projectID, workspaceRoot: session.workspaceRoot ?? session.directory }),
  };
}
