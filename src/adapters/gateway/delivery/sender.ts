// Delivers outbox rows: in order within a chat or thread, side by side between them, resuming at the first part without a receipt.

import type { OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import { errorMessage } from '#base/errors.ts';
import type { Durability } from '#base/sqlite/group-commit.ts';
import type { Span } from '#base/tracing.ts';
import { isAbort } from '#base/waiting/async.ts';
import { createKeyedQueue } from '#base/waiting/keyed-queue.ts';
import { createFirstSends, type FirstSends } from './first-sends.ts';
import type { GivenUp } from './give-up.ts';
import { createPartDelivery } from './part-delivery.ts';
import { createPreviewCleanup } from './preview-cleanup.ts';
import { createRefusals } from './refusals.ts';
import { createDeliveredReports } from './report-delivered.ts';
import type { SenderOptions } from './sender-options.ts';

export interface Sender {
  /** Queues a committed row; resolves when it is in the chat, has failed permanently, or the gateway stops. */
  deliver(id: string, address: Address): Promise<void>;
  /** Answers that are in their chats and not in memory, which refuses them so far. */
  unremembered(): number;
  /** Resolves when nothing is being sent any more. */
  idle(): Promise<void>;
  /** For those who store answers. */
  first: FirstSends;
  /** Called for each part that was given up. */
  onGivenUp(listener: (what: GivenUp) => void): void;
}

/** Sends the rows of the ledger's outbox, in order in each chat, and continues after a restart. */
export function createSender(options: SenderOptions): Sender {
  const { ledger, limiter, clock, log, signal } = options;
  const surplus = createPreviewCleanup({ ledger, limiter, clock, log, signal });
  const places = createKeyedQueue({ failed: () => {} }); // each piece of work logs its own

  /** Commits what must not be forgotten; while the disk refuses it, tries again. */
  const commit = (work: () => void, durability: Durability = 'written'): Promise<void> =>
    ledger.persist(() => ledger.commit(work, durability), signal);

  const listeners: ((what: GivenUp) => void)[] = [];
  const gaveUp = (what: GivenUp): void => {
    for (const listener of listeners) listener(what);
  };
  const first = createFirstSends(options);
  const deliverPart = createPartDelivery({ ...options, first, commit, gaveUp });
  const reports = createDeliveredReports({ ...options, commit });

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
    for (let ordinal = 0; ordinal < outgoing.parts.length; ordinal += 1) {
      // read again after each: one that cannot be shown takes those behind it away
      const row = ordinal === 0 ? outgoing : ledger.outbox.get(id);
      const part = row?.parts[ordinal];
      if (row === undefined || part === undefined) break;
      const exists = part.state === 'sent' ? part : await deliverPart(row, ordinal, connection);
      if (exists === 'given up') return exists;
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
    else reports.add(id, { runID, nativeIDs });
    return undefined;
  };

  const sender: Sender = {
    deliver: (id, address) =>
      new Promise((resolve) => {
        const failed = (error: unknown): void => {
          if (!isAbort(error, signal))
            log.error({ outbox: id, words: errorMessage(error) }, 'delivery broke off');
        };
        const work = (): Promise<void> => ledger.persist(() => deliver(id), signal);
        places.run(formatAddress(address), () => work().catch(failed).finally(resolve));
      }),
    unremembered: reports.refused,
    async idle() {
      await places.idle();
      await reports.idle();
    },
    first,
    onGivenUp: (listener) => void listeners.push(listener),
  };
  const refusals = createRefusals({ ...options, deliver: sender.deliver });
  return sender;
}
