// `/stop`: ends the answer that is being written here, or in the one thread of this room that the person waits in.

import { isAtTop } from '#adapters/gateway/commands/choice-lane.ts';
import type { CommandCall, CommandDeps, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { isOwnRoom } from '#adapters/gateway/ledger/lane.ts';
import { type Address, formatAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import {
  byShortID,
  type CommandRefusal,
  codeSpan,
  escapeMarkdown,
  refusal,
  shortOf,
} from '#adapters/gateway/terms/command-reply.ts';
import { codeOf } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import { withTimeout } from '#base/waiting/async.ts';

/** A person who writes `/stop` gets an answer within this time; a run takes a moment to end. */
const timeoutMs = 2_000;

/** A thread of the room in which the person is being answered. */
interface Busy {
  lane: string;
  /** Names it in the chat, as short as an id of a conversation. */
  id: string;
  sessionID: string | undefined;
}

/**
 * `/stop [ID]`: stops the answer in progress here, or drops the person's message that waits, whatever words follow it that are no ID. At the top of a room it asks which thread is
 * meant, if there are several.
 */
export const stopCommand: CommandHandler = async (call) => {
  const { row, args } = call;
  const { sessions } = call.phrases;
  const { about } = row.event;
  // the answer that was reacted to, which is whole by now: another one may be in progress
  if (about !== undefined && call.ledger.turns.get(about)?.state !== 'running')
    return { words: sessions.nothingToStop, showsItself: true };
  const threads = busyThreads(call);
  const isNamed = args !== '' && threads.some(({ id }) => id.toLowerCase().endsWith(args.toLowerCase()));
  if (!isNamed && (await stopped(call, row.lane))) return { words: sessions.stopped, showsItself: true };
  // "please, wrong file" is no ID that was typed wrong
  const isID = isNamed || /^\S{4,}$/.test(args);
  const [one, ...more] = isID ? [byShortID(args, threads, ({ id }) => id)] : threads;
  if (one === undefined) return sessions.nothingToStop;
  if (more.length > 0) throw await whichOf(call, threads);
  return (await stopped(call, one.lane)) ? sessions.stoppedInThread : sessions.nothingToStop;
};

/** The threads below the room of a command in which the person is being answered, or waits to be; not those that are their own rooms. */
function busyThreads({ ledger, row }: CommandCall): Busy[] {
  if (!isAtTop(row)) return [];
  const room = roomOf(row.address);
  const isBelow = (address: Address): boolean =>
    address.thread !== undefined &&
    roomOf(address) === room &&
    !isOwnRoom(ledger, address) &&
    formatAddress(address) !== formatAddress(row.address);
  const lines = [
    ...ledger.turns.unanswered().flatMap(({ id }) => ledger.inbox.ofTurn(id)),
    ...ledger.inbox.lanesWaiting().flatMap((lane) => ledger.inbox.waiting(lane)),
  ].filter(({ address, person }) => person === row.person && isBelow(address));
  return [...new Set(lines.map(({ lane }) => lane))].map((lane) => {
    const sessionID = ledger.bindings.sessionOf(lane);
    return { lane, id: sessionID ?? lane, sessionID };
  });
}

async function whichOf({ engine }: CommandCall, threads: readonly Busy[]): Promise<CommandRefusal> {
  const ids = threads.flatMap(({ sessionID }) => sessionID ?? []);
  const { sessions } = await engine.findSessions({ ids, limit: ids.length || 1, offset: 0 });
  return refusal(({ sessions: words }, command) => {
    const lines = threads.map(({ id, sessionID }) => {
      const title = sessions.find((session) => session.id === sessionID)?.title ?? words.notStarted;
      return `- ${codeSpan(shortOf(id))} ${escapeMarkdown(truncate(title, 80))}`;
    });
    return [words.stopWhich({ n: threads.length, command }), lines.join('\n')].join('\n\n');
  });
}

/**
 * Cancels the run of a session; false when none ran, or when the engine is unreachable: the turn then cancels it as soon as the engine is
 * back.
 */
export async function cancelRun(sessionID: string, { engine, clock, signal }: CommandDeps): Promise<boolean> {
  try {
    const limit = { clock, ms: timeoutMs, what: 'Stopping the run', signal };
    return await withTimeout(limit, (bounded) => engine.cancel(sessionID, bounded));
  } catch (error) {
    if (codeOf(error) === 'timeout') return false;
    throw error;
  }
}

/** Ends the run, or the turn that has none yet, or takes back what the person said before and nobody has begun to answer. */
async function stopped(call: CommandCall, lane: string): Promise<boolean> {
  const { ledger, row, stopLane } = call;
  const sessionID = ledger.bindings.sessionOf(lane);
  if (sessionID !== undefined && (await cancelRun(sessionID, call))) return true;
  if (stopLane(lane)) return true;
  return ledger.commit(() => {
    const waiting = ledger.inbox
      .waiting(lane)
      .filter(({ id, person }) => id < row.id && person === row.person);
    ledger.inbox.settle(
      waiting.map(({ id }) => id),
      'cancelled',
    );
    return waiting.length > 0;
  });
}
