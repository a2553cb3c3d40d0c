// Carries out a command or an answer that was accepted: its effect, then its answer and its end in one transaction, so that it never runs again.
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import { isAbort, withTimeout } from '#base/async.ts';
import { codeOf, wordsOf } from '#base/errors.ts';
import { isStorageFailure } from '#base/storage.ts';
import type { Asks } from './asks.ts';
import { type CommandName, commandOf, helpText } from './commands.ts';
import type { TurnDeps } from './turn.ts';

export interface ObeyDeps extends Pick<TurnDeps, 'engine' | 'ledger' | 'clock' | 'newId' | 'log' | 'signal'> {
  sender: Sender;
  asks: Pick<Asks, 'answer'>;
  /** Ends the turn of the command's lane; false when there is none. */
  stopLane: () => boolean;
  agent: string;
}

/** A person who says stop is told within this time; a run takes a moment to end. */
const patienceMs = 2_000;

/**
 * Obeys the command of an inbox row and says what was done, or that it could not be; waits for a disk that refuses. An
 * answer to what a run asks is passed on; nothing is said when it arrived, since the run's answer follows.
 */
export async function obey(row: InboxRow, channel: Channel, deps: ObeyDeps): Promise<void> {
  const { ledger, newId, sender, signal } = deps;
  const command = commandOf(row.event);
  const work = () => (command === undefined ? deps.asks.answer(row, channel) : carryOut(command, row, deps));
  const words = await ledger.persist(() => attempt(work, row, deps), signal);
  if (words === undefined) return;
  const id = newId('out');
  const { placeholder } = row.event;
  const parts = channel.render(words).map((part, ordinal) => {
    const key = `c${row.id.slice(-20)}${ordinal}`;
    const preview = ordinal === 0 && placeholder !== undefined ? { key, nativeID: placeholder } : undefined;
    return { part, key, preview };
  });
  const commit = (): void =>
    ledger.transact(() => {
      ledger.outbox.insert({ id, address: row.address, replyTo: undefined, parts, at: deps.clock.now() });
      ledger.inbox.settle([row.id], 'answered');
    });
  await ledger.persist(commit, signal);
  await sender.deliver(id, row.address);
}

/** The words of what was done; what fails for good is said too, with a reference that finds it in the log. */
async function attempt<T>(work: () => Promise<T>, row: InboxRow, deps: ObeyDeps): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (isAbort(error, deps.signal) || deps.signal.aborted || isStorageFailure(error)) throw error;
    const ref = deps.newId('ref');
    deps.log.error({ inbox: row.id, ref, words: wordsOf(error) }, 'command failed');
    return `⚠️ That did not work; please send it again. (reference ${ref})`;
  }
}

async function carryOut(command: CommandName, row: InboxRow, deps: ObeyDeps): Promise<string> {
  const { engine, ledger, clock, agent } = deps;
  switch (command) {
    case 'help':
    case 'start':
      return helpText(agent);
    case 'new': {
      // what the old conversation asks would take the first words of the new one for its answer
      const old = ledger.bindings.sessionOf(row.lane);
      if (old !== undefined && ledger.asked.openFor(row.lane, row.person) !== undefined)
        await cancelled(old, deps);
      const sourceMetadata = { platform: row.address.platform, lane: row.lane };
      const how = { idempotencyKey: `new-${row.id}`, signal: deps.signal };
      const session = await engine.createSession({ sourceKind: 'channel', sourceMetadata }, how);
      ledger.transact(() => ledger.bindings.bind(row.lane, row.address, { id: session.id, at: clock.now() }));
      return 'This is a new conversation. What was said before stays in memory.';
    }
    case 'stop': {
      return (await stop(row, deps)) ? 'Stopped.' : 'There is nothing to stop.';
    }
  }
}

/** Whether a run of the session was ended; no, when the engine is out of reach: the lane's turn ends its run when it is back. */
async function cancelled(sessionID: string, { engine, clock, signal }: ObeyDeps): Promise<boolean> {
  try {
    const limit = { clock, ms: patienceMs, what: 'Stopping the run', signal };
    return await withTimeout(limit, (bounded) => engine.cancel(sessionID, bounded));
  } catch (error) {
    if (codeOf(error) === 'timeout') return false;
    throw error;
  }
}

/** Ends the run, or the turn that has none yet, or takes back what the person said before and nobody has begun to answer. */
async function stop(row: InboxRow, deps: ObeyDeps): Promise<boolean> {
  const { ledger, stopLane } = deps;
  const sessionID = ledger.bindings.sessionOf(row.lane);
  if (sessionID !== undefined && (await cancelled(sessionID, deps))) return true;
  if (stopLane()) return true;
  return ledger.commit(() => {
    const waiting = ledger.inbox
      .waiting(row.lane)
      .filter(({ id, person }) => id < row.id && person === row.person);
    ledger.inbox.settle(
      waiting.map(({ id }) => id),
      'cancelled',
    );
    return waiting.length > 0;
  });
}
