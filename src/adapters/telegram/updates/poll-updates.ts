// The long-polling loop: updates go into the sink, those of one chat one after another, and all are committed before the next offset is sent.
import type { Update } from 'grammy/types';
import type { ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { Cursor, InboundEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { type Client, forGrammy } from '#adapters/telegram/calls/client.ts';
import { allowedUpdates } from '#adapters/telegram/codecs/inbound-codec.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, withTimeout } from '#base/waiting/async.ts';
import { createKeyedQueue } from '#base/waiting/keyed-queue.ts';
import { retry } from '#base/waiting/retry.ts';
import type { PlaceComments } from './comments.ts';
import { noteMove } from './moves.ts';

const cursorName = 'updates';
/** How long after its own timeout a poll is taken for hung. */
const graceMs = 10_000;
const backoff = { firstMs: 500, capMs: 30_000 };

interface PollOptions {
  /** A client only for polls; a new one is made after every hung or broken poll. */
  connect(): Client;
  sink: Sink;
  clock: Clock;
  log: Log;
  pollSeconds: number;
  /** The gateway's events of an update, in order. */
  toEvents(update: Update): Promise<InboundEvent[]>;
  /** Says of events where they belong, by what the ledger knows; tried again while it cannot be asked. */
  placed: PlaceComments;
  explain(error: unknown): ChannelFailure;
}

/** Polls until the signal aborts (then it resolves); rejects only when Telegram refuses the token. */
export async function pollUpdates(options: PollOptions, signal: AbortSignal): Promise<void> {
  const { sink, clock, log, explain } = options;
  let client = options.connect();
  try {
    let offset = await firstOffset(options, signal);
    let failures = 0;
    let ready = false;
    let quick = true;
    while (!signal.aborted) {
      try {
        // The first poll of a connection does not wait, so that "ready" is known at once.
        const seconds = quick ? 0 : options.pollSeconds;
        const updates = await poll({ ...options, client, offset, seconds }, signal);
        sink.alive();
        if (!ready) sink.report('ready');
        ready = true;
        if (!quick) failures = 0;
        quick = false;
        await takeIn(options, updates, signal);
        const last = updates.at(-1);
        if (last !== undefined) offset = last.update_id + 1;
      } catch (error) {
        if (signal.aborted) return;
        const failure = explain(error);
        if (failure.kind === 'auth') throw error;
        failures += 1;
        ready = false;
        // Against another poller only a poll that lasts shows that the way is free.
        quick = failure.kind !== 'conflict';
        const waitMs = failure.retryAfterMs ?? backoffMs(failures, backoff);
        log.warn(
          { channel: 'telegram', failures, waitMs, kind: failure.kind, words: failure.words },
          'poll failed',
        );
        sink.report('reconnecting', failure.words);
        client.end();
        client = options.connect();
        await clock.sleep(waitMs, signal);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    client.end();
  }
}

interface Poll extends PollOptions {
  client: Client;
  offset: number | undefined;
  seconds: number;
}

/** One getUpdates; a ParleyError `timeout` when it hangs. */
function poll({ client, clock, offset, seconds }: Poll, signal: AbortSignal): Promise<Update[]> {
  const limit = { clock, ms: seconds * 1000 + graceMs, what: 'Waiting for updates from Telegram', signal };
  return withTimeout(limit, (bounded) =>
    client.api.getUpdates(
      defined({ offset, timeout: seconds, limit: 100, allowed_updates: allowedUpdates }),
      forGrammy(bounded),
    ),
  );
}

async function firstOffset(options: PollOptions, signal: AbortSignal): Promise<number | undefined> {
  const { result: committed } = await persist(options, signal, () => options.sink.cursor(cursorName));
  return committed !== undefined && /^\d+$/.test(committed) ? Number(committed) + 1 : undefined;
}

const cursorOf = ({ update_id: id }: Update): Cursor => ({ name: cursorName, value: String(id) });

/**
 * Takes in what one poll brought: chats do not wait for each other, and what concerns no single chat waits for all before it. The cursor
 * passes an update only when everything before it is in; after an interruption the others come again, and are known by their ids.
 */
async function takeIn(options: PollOptions, updates: readonly Update[], signal: AbortSignal): Promise<void> {
  const left = new Set(updates);
  let passed: Update | undefined;
  const failures: unknown[] = [];
  const lanes = createKeyedQueue({ failed: (error) => void failures.push(error) });
  const take = async (update: Update): Promise<void> => {
    signal.throwIfAborted();
    const [first] = left;
    await commit(options, { update, isNext: update === first }, signal);
    if (update === first) passed = update;
    left.delete(update);
  };
  for (const update of updates) {
    const chat = chatOf(update);
    if (chat === undefined) await lanes.idle();
    lanes.run(String(chat), () => take(update));
    if (chat === undefined) await lanes.idle();
  }
  await lanes.idle();
  if (failures.length > 0) throw failures[0];
  const last = updates.at(-1);
  if (last !== undefined && last !== passed)
    await persist(options, signal, () => options.sink.advance(cursorOf(last)));
}

/** The chat that an update belongs to; undefined where it is more than one (a group that moves to another id) or none that is named. */
function chatOf(update: Update): number | undefined {
  const said = update.message ?? update.edited_message ?? update.channel_post ?? update.edited_channel_post;
  if (said?.migrate_to_chat_id !== undefined || said?.migrate_from_chat_id !== undefined) return undefined;
  const other = update.message_reaction ?? update.chat_member ?? update.my_chat_member;
  return (said ?? update.callback_query?.message ?? other)?.chat.id;
}

/** The update is confirmed with the last of its events: after an interruption all of them come again. */
async function commit(
  options: PollOptions,
  { update, isNext }: { update: Update; isNext: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { sink } = options;
  const read = await readable(options, update, signal);
  const cursor = isNext ? cursorOf(update) : undefined;
  const work = async (): Promise<void> => {
    const events = await options.placed(update, read);
    const last = events.at(-1);
    for (const event of events) {
      if (event.type === 'moved') await noteMove(sink, event);
      await sink.accept(event, event === last ? cursor : undefined);
    }
    if (last === undefined && cursor !== undefined) await sink.advance(cursor);
  };
  const key = `telegram update ${update.update_id}`;
  const { attempts } = await persist(options, signal, () => sink.take({ key, cursor }, work));
  if (attempts > 1) sink.report('ready');
}

/** An update of a shape that the codec cannot take would stop all others for ever: it is passed by, loudly. */
async function readable(
  { toEvents, log }: PollOptions,
  update: Update,
  signal: AbortSignal,
): Promise<InboundEvent[]> {
  try {
    return await toEvents(update);
  } catch (error) {
    signal.throwIfAborted();
    log.error(
      { channel: 'telegram', updateID: update.update_id, error: errorMessage(error) },
      'an update could not be read and was passed by',
    );
    return [];
  }
}

/** Does what must not be skipped until it succeeds or the signal aborts; the status says so while it fails. */
async function persist<T>(
  { sink, clock, log }: PollOptions,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ result: T; attempts: number }> {
  return retry(
    { clock, pauses: backoff, signal },
    async (attempts) => ({ result: await work(), attempts }),
    (error, { attempt }) => {
      const words = errorMessage(error);
      log.error(
        { channel: 'telegram', attempt, error: words },
        'an update could not be stored; trying again',
      );
      sink.report('reconnecting', `What arrived cannot be stored (${words}); trying again.`);
      return undefined;
    },
  );
}
