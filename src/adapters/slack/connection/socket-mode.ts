// Socket Mode for as long as the program runs: connects, hands events in, catches up, connects again. Not one connection.
import type { FailureKind } from '#adapters/gateway/terms/channel.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { fatalError } from '#adapters/slack/calls/fatal.ts';
import { callbackSchema, eventSchema, stopSchema } from '#adapters/slack/calls/wire.ts';
import { pressSchema } from '#adapters/slack/codecs/choices.ts';
import { type News, newsSchema } from '#adapters/slack/codecs/members.ts';
import { reactionSchema } from '#adapters/slack/codecs/reactions.ts';
import { slashSchema } from '#adapters/slack/codecs/slash.ts';
import { type Farewell, farewellSchema } from '#adapters/slack/codecs/uninstalled.ts';
import type { HistoryReader } from '#adapters/slack/events/reader.ts';
import type { Receiver } from '#adapters/slack/events/receiver.ts';
import type { SlackThreadRef } from '#adapters/slack/outgoing/open-streams.ts';
import type { SlackRooms } from '#adapters/slack/rooms/rooms.ts';
import { type Clock, msSince } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs } from '#base/waiting/async.ts';
import { createKeyedQueue, type KeyedQueue } from '#base/waiting/keyed-queue.ts';
import { retry } from '#base/waiting/retry.ts';
import { type Envelope, openSocket, type Socket } from './socket.ts';

interface SocketModeOptions {
  appToken: string;
  apiUrl?: string | undefined;
  clock: Clock;
  log: Log;
  silenceMs: number;
  reader: HistoryReader;
  receiver: Receiver;
  rooms: SlackRooms;
  /** A connection begins, or has ended: what came in between is lost. */
  onGap(): void;
  sink: Sink;
  /** An event came from this workspace of this organisation. */
  onCallback(workspace: string, organisation: string): void;
  /** Slack says that the app has lost its token; the error that ends the connection, if that is so. */
  onFarewell(farewell: Farewell): Promise<ParleyError | undefined>;
  /** A person has pressed the stop button in this thread. */
  onStop(thread: SlackThreadRef): void;
}

const backoff = { firstMs: 1000, capMs: 30_000 };
/** A connection that stood this long was a good one: the next one is opened at once. */
const steadyMs = 10_000;
/** Between connections that Slack opens and soon ends: it can be reached, so that people need not wait for long. */
const soonBackoff = { firstMs: 1000, capMs: 4000 };
/** Between attempts to accept one event; later ones of its chat wait for it. */
const acceptBackoff = { firstMs: 1000, capMs: 16_000 };
/** Attempts at one event that are in the log: it may be tried for as long as Slack cannot be asked. */
const loggedAttempts = 6;
/** What no further attempt changes. */
const lasting = new Set<FailureKind>(['auth', 'permission', 'gone']);
/** Events in work at once; Slack delivers again what is not taken. */
const maxEvents = 1000;
const tooMany = 'too many events at once; Slack delivers the rest again';

/** Runs until the signal aborts; rejects only with a fatal error. */
export async function runSocketMode(options: SocketModeOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, sink } = options;
  const lanes = createKeyedQueue({
    most: maxEvents,
    failed: (error) =>
      log.error({ words: errorMessage(error) }, 'an event was not accepted; Slack delivers it again'),
  });
  const pauseAfter = createPauses();
  try {
    while (!signal.aborted) {
      const end = await connectOnce(options, lanes, signal);
      if (signal.aborted) break;
      const pauseMs = pauseAfter(end);
      log.info({ why: end.why, pauseMs }, 'the Slack connection ended');
      sink.report('reconnecting', end.why);
      await clock.sleep(pauseMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lanes.idle();
  }
}

interface End {
  why: string;
  /** How long the connection stood, from Slack's hello on; undefined when it never did. */
  stoodMs: number | undefined;
  /** The pause that Slack asked for. */
  retryAfterMs?: number | undefined;
}

/** Gives the pause before the next attempt, in milliseconds: longer with each opening that failed, and never after a good connection. */
function createPauses(): (end: End) => number {
  let unopened = 0;
  let short = 0;
  return ({ stoodMs, retryAfterMs = 0 }) => {
    if (stoodMs === undefined) {
      unopened += 1;
      return Math.max(retryAfterMs, backoffMs(unopened, backoff));
    }
    unopened = 0;
    short = stoodMs >= steadyMs ? 0 : short + 1;
    return short > 1 ? backoffMs(short - 1, soonBackoff) : 0;
  };
}

/** One connection, until its end. Throws what is fatal. */
async function connectOnce(options: SocketModeOptions, lanes: KeyedQueue, signal: AbortSignal): Promise<End> {
  const { clock, reader, sink } = options;
  let socket: Socket | undefined;
  const stop = new AbortController();
  const work = AbortSignal.any([signal, stop.signal]);
  const lost = Promise.withResolvers<ParleyError>();
  try {
    await reader.prepare(signal);
    socket = await openSocket({
      ...options,
      signal,
      onAlive: () => sink.alive(),
      onEnvelope: (envelope) => takeIn(envelope, { ...options, onLost: lost.resolve, signal }, lanes),
    });
    options.onGap();
    sink.report('ready');
    const readyAt = clock.monotonic();
    const refused = catchUp(options, work);
    const ended = await Promise.race([socket.ended, refused, lost.promise]);
    stop.abort();
    const fatal = ended instanceof ParleyError ? ended : await refused;
    if (fatal !== undefined) throw fatal;
    const why = typeof ended === 'string' ? ended : 'it was stopped';
    return { why, stoodMs: msSince(clock, readyAt) };
  } catch (error) {
    const fatal = fatalError(error);
    if (fatal !== undefined) throw fatal;
    const { words, retryAfterMs } = explain(error);
    return { why: words, stoodMs: undefined, retryAfterMs };
  } finally {
    stop.abort();
    options.onGap();
    await socket?.close();
  }
}

/** Reads what was missed, again until it works. Settles only with a fatal error, or when the signal aborts. */
async function catchUp(options: SocketModeOptions, signal: AbortSignal): Promise<ParleyError | undefined> {
  const { clock, reader, log } = options;
  try {
    await retry(
      { clock, pauses: backoff, signal },
      () => reader.round(signal),
      (error, { attempt }) => {
        if (fatalError(error) !== undefined) throw error;
        log.warn({ words: explain(error).words, attempt }, 'what was missed could not be fetched yet');
        return undefined;
      },
    );
    await aborted(signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const fatal = fatalError(error);
    if (fatal === undefined) throw error;
    return fatal;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

interface Intake extends SocketModeOptions {
  onLost(error: ParleyError): void;
  /** Of the whole channel: an event outlives the connection that brought it. */
  signal: AbortSignal;
}

/**
 * Accepts one event, again until it is in or passed by: a later message of the chat that passed it would be answered first, and would
 * move the cursor beyond it. What no further attempt can change is thrown.
 */
async function accepted({ clock, log, signal }: Intake, accept: () => Promise<void>): Promise<void> {
  return retry({ clock, pauses: acceptBackoff, signal }, accept, (error, { attempt, waitMs }) => {
    const { kind, words, retryAfterMs = 0 } = explain(error);
    if (lasting.has(kind)) throw error;
    if (attempt <= loggedAttempts)
      log.warn({ words, attempt }, 'an event could not be accepted yet; its chat waits');
    return Math.max(retryAfterMs, waitMs);
  });
}

/** Commits a message, a slash command or a press before it is acknowledged; everything else is acknowledged at once. */
function takeIn(envelope: Envelope, options: Intake, lanes: KeyedQueue): void {
  const { log, receiver, rooms } = options;
  const came = rooms.moment();
  const ack = () =>
    envelope
      .ack()
      .catch((error: unknown) => log.debug({ words: errorMessage(error) }, 'too late to acknowledge'));
  const slash = envelope.type === 'slash_commands' ? slashSchema.safeParse(envelope.body) : undefined;
  if (slash?.success === true) {
    lanes.run(slash.data.channel_id, async () => {
      await receiver.slash(slash.data, came);
      await ack();
    });
    return;
  }
  const press = envelope.type === 'interactive' ? pressSchema.safeParse(envelope.body) : undefined;
  if (press?.success === true) {
    lanes.run(`press ${press.data.trigger_id}`, async () => {
      await receiver.press(press.data);
      await ack();
    });
    return;
  }
  const callback = callbackSchema.safeParse(envelope.body);
  const type = envelope.type === 'events_api' && callback.success ? callback.data.event.type : undefined;
  const { team_id: workspace, enterprise_id: organisation } = callback.data ?? {};
  if (workspace && organisation) options.onCallback(workspace, organisation);
  const stop = stopSchema.safeParse(callback.data?.event);
  if (type === 'agent_session_stopped' && stop.success) {
    options.onStop({ channel: stop.data.channel, ts: stop.data.thread_ts });
    void ack();
    return;
  }
  const farewell = farewellSchema.safeParse(callback.data?.event);
  if (farewell.success) {
    void ack()
      .then(() => options.onFarewell(farewell.data))
      .then((loss) => loss && options.onLost(loss));
    return;
  }
  const news = newsSchema.safeParse({ ...callback.data?.event, workspace });
  if (news.success) {
    const lane = laneOf(news.data);
    const taken = lanes.run(lane, async () => {
      await accepted(options, () => receiver.news(news.data));
      await ack();
    });
    if (!taken) log.warn({ most: maxEvents }, tooMany);
    return;
  }
  const reaction = reactionSchema.safeParse(callback.data?.event);
  if (reaction.success) {
    const taken = lanes.run(reaction.data.item.channel, async () => {
      await accepted(options, () => receiver.reaction(reaction.data));
      await ack();
    });
    if (!taken) log.warn({ most: maxEvents }, tooMany);
    return;
  }
  if (!callback.success || (type !== 'message' && type !== 'app_mention')) {
    void ack();
    return;
  }
  const event = eventSchema.safeParse({ ...callback.data.event, workspace: workspace ?? undefined });
  if (!event.success) {
    log.warn({ type }, 'an event of Slack has an unknown shape and was left out');
    void ack();
    return;
  }
  const taken = lanes.run(event.data.channel, async () => {
    await accepted(options, () => receiver.event(event.data, came));
    await ack();
  });
  if (!taken) log.warn({ most: maxEvents }, tooMany);
}

/** What happens in one channel, or to people, is taken in its order. */
function laneOf(news: News): string {
  if (!('channel' in news)) return 'people';
  return typeof news.channel === 'string' ? news.channel : news.channel.id;
}
