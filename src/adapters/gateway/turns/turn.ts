// One turn from its batch to a committed answer: session, run, preview, outbox. Safe to begin again after a crash.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { assistantIn } from '#adapters/gateway/ledger/lane-name.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { createPreview } from '#adapters/gateway/preview/preview.ts';
import type { Preview } from '#adapters/gateway/preview/preview-types.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { aside } from '#adapters/gateway/terms/command-reply.ts';
import { freshRoom } from '#adapters/gateway/turn-files/attached-files.ts';
import { earlierWithFiles } from '#adapters/gateway/turn-files/earlier-files.ts';
import { filesOfTurn } from '#adapters/gateway/turn-files/files-of-turn.ts';
import { outgoingFiles } from '#adapters/gateway/turn-files/outgoing-files.ts';
import { placeOfBatch, recallableBy } from '#adapters/gateway/turn-files/readable.ts';
import type { FileRoom } from '#adapters/gateway/turn-prompt/attached-file.ts';
import { lateNotice } from '#adapters/gateway/turn-prompt/late.ts';
import { type AttachedFiles, promptBodyOf } from '#adapters/gateway/turn-prompt/prompt-body.ts';
import { roomContextFor } from '#adapters/gateway/turn-prompt/room-context.ts';
import { sessionOf } from '#adapters/gateway/turn-prompt/session-of.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import { anySignal, isAbort, waitAbandoned } from '#base/waiting/async.ts';
import type { Run } from '#engine/wire/contract.ts';
import { answerOf } from './answer.ts';
import { type CommittedAnswer, commitAnswer } from './commit-answer.ts';
import type { TurnDeps } from './turn-deps.ts';
import { createWorkingSign, type WorkingSign } from './typing-indicator.ts';
import { watchRun } from './watch-run.ts';

/** How often a run that died with its process is resumed: more would keep a program down that dies of the run itself. */
export const maxAttempts = 6;

/**
 * Runs the turn, `turn.attempts` being how often it was begun, and commits its answer to the outbox in one
 * transaction. After a failure it may be called again. Aborting `stopped` ends its run;
 * `waiting` is called when it begins and ceases to wait for a person.
 */
export async function runTurn(
  turn: Turn,
  channel: Channel,
  deps: TurnDeps & { stopped: AbortController; waiting: (asks: boolean) => void },
): Promise<CommittedAnswer> {
  const { ledger, limiter, rendering, typing, clock, log, stopped } = deps;
  const [first, ...others] = ledger.inbox.ofTurn(turn.id);
  if (first === undefined) throw new Error(`turn ${turn.id} has no messages`);
  const { address, replyTo } = turn;
  const { event } = others.at(-1) ?? first;
  const phrases = deps.book.for({ address, person: first.person });
  const agent = deps.assistants.nameIn(turn.lane);
  const sign = createWorkingSign(typing, channel, { address, message: event.retryOf ?? event.nativeID });
  const preview = createPreview({
    turnID: turn.id,
    address,
    replyTo,
    inReplies: event.inReplies === true,
    actor: first.event.actor.id,
    channel,
    ledger,
    limiter,
    rendering,
    typing,
    notices: deps.signsOf(address).notices,
    stillWorking: phrases.answers.stillWorking,
    stoppedByUser: () => stopped.abort(),
    clock,
    log,
  });
  let outcome: { run: Run; notes: readonly string[] };
  try {
    const fileRoom = freshRoom();
    const files = await filesOfTurn([first, ...others], {
      ...deps,
      channel,
      agent,
      fileRoom,
      phrases,
      stopped: stopped.signal,
    });
    outcome = await answer(turn, [first, ...others], {
      ...deps,
      channel,
      agent,
      files,
      fileRoom,
      phrases,
      preview,
      sign,
      stopped: stopped.signal,
    });
  } finally {
    await Promise.all([preview.stop(), sign.stop()]);
  }
  const { run, notes } = outcome;
  const files = await outgoingFiles(run.artifacts ?? [], {
    ...deps,
    channel,
    phrases,
    stopped: stopped.signal,
  });
  const committed = await commitAnswer(
    turn,
    { ...answerOf(run, notes, phrases), files },
    { ...deps, channel, run, preview, person: first.person },
  );
  deps.asks.showSettled();
  return committed;
}

/** The run that answers the batch: a new one, or the one that this turn began in an earlier process; and what to report with it. */
async function answer(
  turn: Turn,
  batch: readonly [InboxRow, ...InboxRow[]],
  deps: TurnDeps & {
    channel: Channel;
    agent: string;
    files: ReadonlyMap<string, AttachedFiles>;
    fileRoom: FileRoom;
    phrases: Phrases;
    preview: Preview;
    sign: WorkingSign;
    stopped: AbortSignal;
    waiting: (asks: boolean) => void;
  },
): Promise<{ run: Run; notes: readonly string[] }> {
  const { engine, ledger, channel, files, signal, stopped } = deps;
  const { answers } = deps.phrases;
  const [first] = batch;
  const session = await sessionOf(first, turn, deps);
  const sessionID = session.id;
  const attached = [...files.values()].flatMap(({ own, quoted }) => [...own, ...quoted]);
  const texts = [...batch.map(({ event }) => event.text), ...attached.map(({ note }) => note)];
  const ownChars = texts.reduce((sum, text) => sum + text.length, 0);
  const begun = session.begun === 'before' ? 'before' : 'now';
  const earlier = begun === 'before' ? [] : await earlierWithFiles(first, { ...deps, ownChars });
  const problems = [...attached, ...earlier.flatMap((each) => each.attached)].flatMap(
    ({ problem }) => problem ?? [],
  );
  const notes = [
    lateNotice(batch, deps.phrases),
    ...problems,
    session.begun === 'instead of a lost one' ? answers.newConversation : undefined,
  ];
  const around = {
    place: placeOfBatch(batch, ledger),
    recallable: await recallableBy(first, deps),
    corrections: ledger.corrections.ofTurn(turn.id),
    assistant: assistantIn(turn.lane),
    settings: ledger.laneSettings.of(turn.lane),
    profile: deps.profileOf(first.address),
    earlier,
    roomContext: await roomContextFor(batch, channel, { ...deps, begun }),
    files,
  };
  // Before what is recalled: which rooms are open, also by what was just looked at, and which messages were changed or deleted.
  await deps.handOvers.flush();
  // as they are now: files, people and the room were waited for, and a message may have been edited or deleted in the meantime
  const [current = first, ...others] = ledger.inbox.ofTurn(turn.id);
  const given = ledger.amendments.editsOf(turn.id);
  const body = promptBodyOf([current, ...others], around);
  const dropChoice = async (agent: string): Promise<string> => {
    await ledger.commit(() => ledger.laneSettings.dropAgent(turn.lane, agent), 'written');
    return answers.agentGone({ agent });
  };
  const gone = deps.assistants.goneFrom(turn.lane);
  if (gone !== undefined) notes.push(await dropChoice(gone));
  using watched = anySignal(signal);
  const { id, lane, address } = turn;
  const asking = { id, lane, address, person: first.person, speaker: first.event.actor.name };
  const watching = watchRun(sessionID, asking, {
    ...deps,
    toolProgress: deps.toolProgressOf(turn.address),
    signal: watched.signal,
  });
  try {
    let dead: string | undefined;
    for (let { attempts } = turn; ; ) {
      const how = { idempotencyKey: turn.runKey, retryInterrupted: attempts <= maxAttempts, signal };
      const outcome = await engine.prompt(sessionID, body, how).catch(async (error: unknown) => {
        if (codeOf(error) !== 'unknown_agent' || body.agent === undefined) throw error;
        notes.push(await dropChoice(body.agent));
        body.agent = undefined;
        return engine.prompt(sessionID, body, how);
      });
      if (outcome.status === 'conflict') {
        await engine.finished(outcome.activeRun.runID, signal); // another client's run in this session goes first
        continue;
      }
      // Only a restart reads it, and finds the run by its key otherwise; a disk that refuses it refuses the answer next.
      const started = { sessionID, runID: outcome.runID };
      const begunFor = { turn: id, inbox: batch.map((row) => row.id), ...started };
      deps.log.debug(begunFor, 'turn is answered by a run');
      const note = (): void => {
        ledger.turns.started(turn.id, started);
        if (outcome.status === 'started') given.forEach(ledger.amendments.done);
      };
      void ledger.commit(note, 'soon').catch(() => undefined);
      const stop = (): void => void cancel(outcome.runID, deps);
      const tooLate = stopped.aborted; // while the engine was waited for: the run may end before it is stopped
      if (tooLate) stop();
      else stopped.addEventListener('abort', stop);
      watching.follow(outcome.runID, outcome.status);
      const run = await engine.finished(outcome.runID, signal);
      if (run.status === 'interrupted' && attempts < maxAttempts && dead !== run.runID) {
        attempts += 1;
        dead = run.runID;
        // the engine's process has died, and this one has not
        await ledger.commit(() => ledger.turns.begin(turn.id), 'written');
        continue;
      }
      const streamed: Run =
        tooLate && run.status === 'completed' ? { ...run, status: 'cancelled', text: '' } : run;
      return { run: streamed, notes: notes.flatMap((note) => (note === undefined ? [] : aside(note))) };
    }
  } finally {
    watched.abort(waitAbandoned);
    await watching.done();
  }
}

/** The person has stopped the answer on the platform's own surface. */
async function cancel(runID: string, { engine, log, signal }: TurnDeps): Promise<void> {
  try {
    await engine.cancelRun(runID, signal);
  } catch (error) {
    if (!isAbort(error, signal))
      log.error({ runID, words: errorMessage(error) }, 'a stopped answer could not be cancelled');
  }
}
