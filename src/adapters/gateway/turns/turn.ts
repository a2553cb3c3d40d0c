// One turn from its batch to a committed answer: session, run, preview, outbox. Safe to begin again after a crash.
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Limiter } from '#adapters/gateway/delivery/limiter.ts';
import { createPreview, type Preview } from '#adapters/gateway/delivery/preview.ts';
import { showTyping } from '#adapters/gateway/delivery/typing.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Turn } from '#adapters/gateway/ledger/turns.ts';
import { isAbort } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import { type Answer, answerOf } from './answer.ts';
import { promptBodyOf } from './prompt-body.ts';

export interface TurnDeps {
  engine: Engine;
  ledger: Ledger;
  limiter: Limiter;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}

/** A run that died with its process is begun again once. */
const mostAttempts = 2;

/** Runs the turn and commits its answer to the outbox in one transaction; returns the outbox row's id. */
export async function runTurn(turn: Turn, channel: Channel, deps: TurnDeps): Promise<string> {
  const { ledger, limiter, clock, log } = deps;
  const [first, ...others] = ledger.inbox.ofTurn(turn.id);
  if (first === undefined) throw new Error(`turn ${turn.id} has no messages`);
  ledger.turns.begin(turn.id);
  const { address, replyTo } = turn;
  const typing = showTyping({ channel, address, limiter, clock, log });
  const preview = createPreview({
    turnID: turn.id,
    address,
    replyTo,
    channel,
    turns: ledger.turns,
    limiter,
    clock,
    log,
  });
  let run: Run;
  try {
    run = await answer(turn, [first, ...others], { ...deps, preview });
  } finally {
    await Promise.all([preview.stop(), typing.stop()]);
  }
  return commitAnswer(turn, answerOf(run), { ...deps, channel, runID: run.runID });
}

/** The run that answers the batch: a new one, or the one that this turn began in an earlier process. */
async function answer(
  turn: Turn,
  batch: readonly [InboxRow, ...InboxRow[]],
  deps: TurnDeps & { preview: Preview },
): Promise<Run> {
  const { engine, ledger, signal } = deps;
  const [first] = batch;
  const sessionID = turn.sessionID ?? (await sessionOf(first, deps));
  const body = promptBodyOf(batch, {
    home: ledger.moves.home(first.address),
    reach: ledger.people.reach(first.person),
  });
  const watched = new AbortController();
  const watching = watch(sessionID, deps, AbortSignal.any([signal, watched.signal]));
  try {
    for (;;) {
      const outcome = await engine.prompt(sessionID, body, {
        idempotencyKey: turn.id,
        retryInterrupted: turn.attempts + 1 <= mostAttempts,
      });
      if (outcome.status === 'conflict') {
        await engine.finished(outcome.activeRun.runID, signal); // another client's run in this session goes first
        continue;
      }
      ledger.turns.started(turn.id, { sessionID, runID: outcome.runID });
      watching.follow(outcome.runID);
      return await engine.finished(outcome.runID, signal);
    }
  } finally {
    watched.abort();
    await watching.done;
  }
}

async function sessionOf(row: InboxRow, { engine, ledger, clock }: TurnDeps): Promise<string> {
  const bound = ledger.bindings.sessionOf(row.lane);
  if (bound !== undefined && (await engine.getSession(bound)) !== undefined) return bound;
  const session = await engine.createSession({
    sourceKind: 'channel',
    sourceMetadata: { platform: row.address.platform, lane: row.lane },
  });
  ledger.bindings.bind(row.lane, row.address, { id: session.id, at: clock.now() });
  return session.id;
}

/** Feeds the preview from the session's events; events that come before the run is known are kept for it. */
function watch(sessionID: string, deps: TurnDeps & { preview: Preview }, signal: AbortSignal) {
  const texts = new Map<string, string>();
  let runID: string | undefined;
  const show = (): void => {
    const prefix = `${runID} `;
    const parts = [...texts].filter(([key]) => key.startsWith(prefix)).map(([, text]) => text);
    if (parts.length > 0) deps.preview.show(parts.join('\n\n'));
  };
  const read = async (): Promise<void> => {
    for await (const event of deps.engine.events({ sessionID }, signal)) {
      if (event.type !== 'message.part.updated' || event.properties.part.type !== 'text') continue;
      const { part, delta } = event.properties;
      const key = `${event.properties.runID} ${part.id}`;
      texts.set(key, delta === undefined ? (part.text ?? '') : (texts.get(key) ?? '') + delta);
      if (event.properties.runID === runID) show();
    }
  };
  const done = read().catch((error: unknown) => {
    if (isAbort(error, signal)) return;
    if (!(error instanceof ParleyError)) throw error;
    deps.log.warn({ sessionID, code: error.code }, 'preview lost its events'); // the final text does not depend on them
  });
  return {
    done,
    follow(id: string) {
      runID = id;
      show();
    },
  };
}

/** Puts an answer into the outbox and settles its messages, in one transaction; returns the outbox row's id. */
export function commitAnswer(
  turn: Turn,
  { markdown, delivered, state }: Answer,
  deps: Pick<TurnDeps, 'ledger' | 'clock' | 'newId'> & { channel: Channel; runID: string | undefined },
): string {
  const { ledger, channel } = deps;
  const previews = ledger.turns.previews(turn.id);
  const id = deps.newId('out');
  const parts = channel.render(markdown).map((part, ordinal) => ({
    part,
    key: `f${turn.id.slice(-20)}${ordinal.toString(36)}`,
    preview: previews[ordinal],
  }));
  ledger.transact(() => {
    const { address, replyTo } = turn;
    const runID = delivered ? deps.runID : undefined;
    ledger.outbox.insert({ id, address, replyTo, turnID: turn.id, runID, parts, at: deps.clock.now() });
    ledger.turns.setState(turn.id, state);
    ledger.inbox.settle(
      ledger.inbox.ofTurn(turn.id).map((row) => row.id),
      'answered',
    );
  });
  return id;
}
