// Delivers outbox rows: in order within a chat or thread, side by side between them, resuming at the first part without a receipt.
import PQueue from 'p-queue';
import { type Address, formatAddress } from '#adapters/gateway/address.ts';
import { type CallType, type Channel, type ChannelFailure, settledMs } from '#adapters/gateway/channel.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxPart, OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { PhraseBook } from '#adapters/gateway/phrases/phrase-book.ts';
import { backoffMs, isAbort } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { isDiskFailure } from '#base/disk-failures.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Durability } from '#base/group-commit.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Span, Tracing } from '#base/tracing.ts';
import type { Connection } from './connection.ts';
import { isFinal, isFindable, isIdempotent, markedRepeat, wordsInstead } from './instead.ts';
import type { Limiter } from './limiter.ts';
import { createPreviewCleanup } from './preview-cleanup.ts';
import { createRefusals } from './refusals.ts';
import type { Typing } from './typing.ts';

export interface Sender {
  /** Queues a committed row; resolves when it is in the chat, has failed permanently, or the gateway stops. */
  deliver(id: string, address: Address): Promise<void>;
  /** Resolves when nothing is being sent any more. */
  idle(): Promise<void>;
}

export interface SenderOptions {
  ledger: Ledger;
  limiter: Limiter;
  typing: Pick<Typing, 'posted'>;
  connectionOf: (address: Address) => Connection | undefined;
  /** Reports to the engine that a run's answer is delivered; safe to repeat. */
  handOver: (delivery: { runID: string; deliveredAtMs: number; nativeIDs: string[] }) => Promise<void>;
  tracing: Tracing;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}

/** One attempt at a part, whose turn at the limiter has come. */
interface Posting {
  outgoing: OutboxRow;
  part: OutboxPart;
  /** Waits for a turn of another kind of call. */
  take(act: CallType): Promise<void>;
}

const retry = { firstMs: 500, capMs: 30_000 };
/** Memory takes some of them by one transaction: with few at a time they would wait for it, and it for them. */
const handOversAtOnce = 64;

/** A sender over the ledger's outbox. */
export function createSender(options: SenderOptions): Sender {
  const { ledger, limiter, typing, clock, log, signal } = options;
  const surplus = createPreviewCleanup({ ledger, limiter, clock, log, signal });
  const places = new Map<string, PQueue>();
  const handOvers = new PQueue({ concurrency: handOversAtOnce });

  /** In the language of the person who is answered, or of their room. */
  const phrasesOf = ({ address, turnID }: OutboxRow): Phrases => {
    const person = turnID === undefined ? undefined : ledger.inbox.ofTurn(turnID)[0]?.person;
    return options.book.for({ address, person });
  };

  /** Commits what must not be forgotten; while the disk refuses it, tries again. */
  const commit = (work: () => void, told: Durability = 'written'): Promise<void> =>
    ledger.persist(() => ledger.commit(work, told), signal);

  const deliver = async (id: string): Promise<void> => {
    const outgoing = ledger.outbox.get(id);
    if (outgoing === undefined) return;
    const connection = options.connectionOf(outgoing.address);
    if (connection === undefined) return; // its channel is switched off: the row stays and is sent when it is back
    const span = spanOf(outgoing);
    let failed: string | undefined = 'interrupted';
    try {
      failed = await deliverTo(connection, outgoing);
    } finally {
      span?.end(failed);
    }
  };

  /** Of an answer to a turn; notices belong to none. */
  const spanOf = ({ id, turnID, runID, address, parts }: OutboxRow): Span | undefined =>
    turnID === undefined
      ? undefined
      : options.tracing.under(turnID).child('delivery', {
          kind: 'client',
          attributes: {
            'parley.platform': address.platform,
            'parley.turn.id': turnID,
            'parley.run.id': runID,
            'parley.outbox.id': id,
            'parley.outbox.parts': parts.length,
          },
        });

  /** Undefined once all parts stand, else the kind of what made that impossible. */
  const deliverTo = async (connection: Connection, outgoing: OutboxRow): Promise<string | undefined> => {
    const { id } = outgoing;
    const nativeIDs: string[] = [];
    for (let ordinal = 0; ; ordinal += 1) {
      // read again with each: one that cannot be shown takes those behind it away
      const part = ledger.outbox.get(id)?.parts[ordinal];
      if (part === undefined) break;
      const exists = part.state === 'sent' ? part : await deliverPart(id, ordinal, connection);
      if ('failure' in exists) {
        const { kind, words } = exists.failure;
        const about = refusals.wordsOf(outgoing, exists.failure);
        await commit(() => ledger.outbox.setState(id, 'failed', about));
        log.error({ outbox: id, part: ordinal, kind, words }, 'not deliverable');
        refusals.notify(outgoing, exists.failure, connection.channel);
        return kind;
      }
      if (exists.nativeID !== undefined) nativeIDs.push(exists.nativeID);
    }
    await surplus.remove(outgoing, connection);
    const { turnID, runID } = outgoing;
    // an adapter's own name for a message, which has spaces, may hold a secret: that of a deferred reply on Discord does
    const messages = nativeIDs.filter((nativeID) => !/\s/.test(nativeID));
    log.debug({ outbox: id, turn: turnID, runID, messages }, 'answer exists');
    if (runID === undefined) await commit(() => ledger.outbox.setState(id, 'done'));
    else void handOvers.add(() => handOver(id, { runID, nativeIDs }));
    return undefined;
  };

  const handOver = async (
    id: string,
    { runID, nativeIDs }: { runID: string; nativeIDs: string[] },
  ): Promise<void> => {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await options.handOver({ runID, deliveredAtMs: clock.now(), nativeIDs });
        // Nobody waits for it: where it is lost, the next start hands over again, which the engine takes once.
        void commit(() => ledger.outbox.setState(id, 'done'), 'soon').catch(() => undefined);
        return;
      } catch (error) {
        const words = errorMessage(error);
        log.error({ outbox: id, runID, words }, 'hand-over to the engine failed');
        // A power cut, or a backup, has taken the run from the engine: it will never know it.
        if (codeOf(error) === 'run_not_found') return commit(() => ledger.outbox.setState(id, 'done', words));
        await clock.sleep(backoffMs(attempt, retry), signal).catch(() => undefined);
      }
    }
  };

  /** The part's message once it exists; a failure when it never will. */
  const deliverPart = async (
    id: string,
    ordinal: number,
    { channel, ready, refused }: Connection,
  ): Promise<{ nativeID: string } | { failure: ChannelFailure }> => {
    for (let attempt = 1; ; attempt += 1) {
      await ready(signal);
      const { outgoing, part } = rowNow(id, ordinal); // an attempt may have learnt that its chat has moved
      const { address } = outgoing;
      let act: CallType = 'send';
      const take = (next: CallType): Promise<void> => {
        act = next;
        return limiter.take({ address, act, urgency: 'final' }, signal);
      };
      await take(part.preview?.nativeID === undefined ? 'send' : 'edit');
      let unknown = part.state === 'sending';
      try {
        const standing = unknown ? await settleUnknown(outgoing, part, channel) : undefined;
        const settled = unknown ? rowNow(id, ordinal).part : part;
        unknown = false;
        // On the disk before it is sent: after a power cut too it is known that it may stand.
        await ledger.commit(() => ledger.outbox.sending(id, part.ordinal), 'on disk');
        const nativeID = standing ?? (await post({ outgoing, part: settled, take }, channel));
        // The post stands: its receipt is written however long the disk refuses it, so that nothing is posted again.
        await commit(() => ledger.outbox.received(id, { ordinal: part.ordinal, nativeID, at: clock.now() }));
        return { nativeID };
      } catch (error) {
        if (isAbort(error, signal) || isDiskFailure(error)) throw error;
        const failure = channel.explain(error);
        log.warn(
          { outbox: id, part: part.ordinal, attempt, kind: failure.kind, words: failure.words },
          'send failed',
        );
        // What a search for the last attempt met says nothing of that attempt.
        if (!failure.maybeDelivered && !unknown) await commit(() => ledger.outbox.unsent(id, part.ordinal));
        if (failure.kind === 'rate_limit') limiter.hold({ address, act }, failure);
        else if (failure.kind === 'auth') refused(failure.words);
        else if (isFinal(failure)) {
          const words = wordsInstead(part.part, failure, { channel, phrases: phrasesOf(outgoing) });
          if (part.preview === undefined && words === undefined) return { failure };
          if (words !== undefined) await commit(() => ledger.outbox.replace(id, part.ordinal, words));
          else await commit(() => ledger.outbox.forgetPreview(id, part.ordinal)); // the preview no longer exists or cannot be edited: the text goes out again
        } else await clock.sleep(failure.retryAfterMs ?? backoffMs(attempt, retry), signal);
      }
    }
  };

  const rowNow = (id: string, ordinal: number): { outgoing: OutboxRow; part: OutboxPart } => {
    const outgoing = ledger.outbox.get(id);
    const part = outgoing?.parts[ordinal];
    if (outgoing === undefined || part === undefined)
      throw new Error(`outbox row ${id} has lost its part ${ordinal}`);
    return { outgoing, part };
  };

  /** An earlier attempt has no known outcome: its message if it can be found, else the part is marked as a possible repeat. */
  const settleUnknown = async (
    outgoing: OutboxRow,
    part: OutboxPart,
    channel: Channel,
  ): Promise<string | undefined> => {
    const agoMs = clock.now() - outgoing.createdAt; // its first attempt was not before that
    if (part.preview?.nativeID !== undefined || isIdempotent(part.part, channel, agoMs)) return undefined;
    if (isFindable(part.part, channel)) {
      try {
        return await findSettled(channel, { address: outgoing.address, key: part.key, kind: 'part' });
      } catch (error) {
        if (isAbort(error, signal) || !isFinal(channel.explain(error))) throw error; // else it may not be looked for here
      }
    }
    await commit(() => ledger.outbox.mayRepeat(outgoing.id, part.ordinal));
    return undefined;
  };

  /** The message with this key, looked for until the platform must have made it if it ever does. */
  const findSettled = async (
    channel: Channel,
    { address, key, kind }: { address: Address; key: string; kind: 'part' | 'preview' },
  ): Promise<string | undefined> => {
    if (channel.find === undefined) return undefined;
    const found = await channel.find(address, key, kind);
    if (found !== undefined) return found.nativeID;
    await clock.sleep(settledMs, signal);
    return (await channel.find(address, key, kind))?.nativeID;
  };

  /** Only the first part of an answer is a reply, and the others where they would stand somewhere else otherwise. */
  const replyToOf = ({ replyTo, address }: OutboxRow, ordinal: number): string | undefined => {
    if (ordinal === 0 || replyTo === undefined) return replyTo;
    return ledger.inbox.find(address, replyTo)?.event.inReplies === true ? replyTo : undefined;
  };

  const post = async ({ outgoing, part, take }: Posting, channel: Channel): Promise<string> => {
    const { address } = outgoing;
    const replyTo = replyToOf(outgoing, part.ordinal);
    const body = part.possibleRepeat ? markedRepeat(part.part, channel, phrasesOf(outgoing)) : part.part;
    const standing = await standingPreview(outgoing, part, channel);
    if (standing !== undefined) {
      if (part.preview?.nativeID === undefined) await take('edit'); // it had to be found first
      await channel.edit(address, standing, body);
      return standing;
    }
    const receipt = await channel.send(address, body, { key: part.key, replyTo, signal });
    typing.posted(address);
    return receipt.nativeID;
  };

  /** The message of this part's preview, if one exists; a preview whose outcome is unknown is looked for. */
  const standingPreview = async (
    outgoing: OutboxRow,
    { preview, part, ordinal }: OutboxPart,
    channel: Channel,
  ): Promise<string | undefined> => {
    const { address } = outgoing;
    if (preview === undefined || preview.nativeID !== undefined) return preview?.nativeID;
    if (channel.caps.idempotentSend) {
      const replyTo = replyToOf(outgoing, ordinal);
      return (await channel.send(address, part, { key: preview.key, replyTo, signal })).nativeID;
    }
    const found = await findSettled(channel, { address, key: preview.key, kind: 'preview' });
    // a preview that another turn has on record is not this one's, whatever the platform thinks
    return found !== undefined && ledger.turns.ownsPreview(address, found) ? undefined : found;
  };

  const sender: Sender = {
    async deliver(id, address) {
      const place = formatAddress(address);
      const queue = places.get(place) ?? new PQueue({ concurrency: 1 });
      places.set(place, queue);
      try {
        await queue.add(() => ledger.persist(() => deliver(id), signal));
      } catch (error) {
        if (!isAbort(error, signal))
          log.error({ outbox: id, words: errorMessage(error) }, 'delivery broke off');
      } finally {
        if (queue.size === 0 && queue.pending === 0) places.delete(place);
      }
    },
    async idle() {
      await Promise.all([...places.values()].map((queue) => queue.onIdle()));
      await handOvers.onIdle();
    },
  };
  const refusals = createRefusals({ ...options, deliver: sender.deliver });
  return sender;
}
