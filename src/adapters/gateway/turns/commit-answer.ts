// The end of a turn: its answer in the outbox, what it used, and its messages settled, in one transaction.

import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import { buttonsBelow } from '#adapters/gateway/preview/buttons-below.ts';
import type { Preview } from '#adapters/gateway/preview/preview-types.ts';
import { type Address, roomOf } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { Answer } from './answer.ts';
import { answerParts } from './answer-parts.ts';

/** An answer in the outbox. */
export interface CommittedAnswer {
  outboxID: string;
  /** Where its turn was asked, as it is now. */
  address: Address;
  /** Of the turn. */
  state: Turn['state'];
}

/**
 * Puts an answer into the outbox and settles its messages, in one transaction. A turn that
 * has its answer holds it: whatever comes later is dropped, so that a chat sees one. `usage` counts against limits.
 */
export function commitAnswer(
  turn: Turn,
  { markdown, delivered, state, files = [] }: Answer,
  deps: {
    ledger: Ledger;
    clock: Clock;
    newId: NewId;
    channel: Channel;
    sender: Pick<Sender, 'first'>;
    run: Pick<Run, 'runID' | 'usage'> | undefined;
    /** Who is answered. */
    person: string;
    /** What was shown of it while it was made; nothing that is known when absent. */
    preview?: Pick<Preview, 'exists' | 'hadButtons'> | undefined;
  },
): Promise<CommittedAnswer> {
  const { ledger, channel, clock, run, preview, person, sender } = deps;
  const id = deps.newId('out');
  const rendered = channel.render(markdown);
  return ledger.commit(() => {
    const standing = ledger.outbox.idOfTurn(turn.id);
    const now = ledger.turns.get(turn.id) ?? turn; // its chat may have moved since
    const { address, replyTo } = now;
    if (standing !== undefined) return { outboxID: standing, address, state: now.state };
    // what was asked in between would stand below an answer that took the place of previews above it
    const below = ledger.postedRequests.ofTurn(turn.id).some(({ belowPreview }) => belowPreview);
    const previews = below ? [] : ledger.turns.previews(turn.id);
    // a process that died may have left buttons below a message of this turn
    const hasButtons = preview?.hadButtons() === true || (turn.attempts > 1 && previews.length > 0);
    const texts = hasButtons ? buttonsBelow(rendered, channel, []) : rendered;
    const parts = answerParts(
      turn.id,
      { texts, files },
      {
        previews,
        channel,
        exists: (ordinal, part) => preview?.exists(ordinal, part) === true,
      },
    );
    const runID = delivered ? run?.runID : undefined;
    const isBeingSent = sender.first.isNext(address, parts);
    if (isBeingSent) sender.first.note(id);
    const row = { id, address, replyTo, turnID: turn.id, runID, parts, at: clock.now() };
    ledger.outbox.insert({ ...row, isBeingSent });
    if (run?.usage !== undefined) {
      const { inputTokens, outputTokens, costUSD = 0 } = run.usage;
      const by = { turnID: turn.id, person, room: roomOf(address), at: clock.now() };
      ledger.turnUsage.note({ ...by, tokens: inputTokens + outputTokens, costUSD });
    }
    ledger.turns.setState(turn.id, state);
    ledger.inbox.settleTurn(turn.id, 'answered');
    return { outboxID: id, address, state };
  }, 'written');
}
