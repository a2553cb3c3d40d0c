// The session of a turn: the one that its lane is bound to, or one that is begun for it.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { assistantIn } from '#adapters/gateway/ledger/lane-name.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import type { Engine } from '#engine/wire/contract.ts';

interface SessionOfTurn {
  id: string;
  begun: 'before' | 'now' | 'instead of a lost one';
}

/** Where a session is talked in, and with which assistant: stored with it. */
export function placeOfSession({ platform }: Address, lane: string): Record<string, unknown> {
  return { platform, lane, ...defined({ assistant: assistantIn(lane) }) };
}

/** The session that the lane is bound to. Creates one when there is none, or when it was lost or also belongs to another person. */
export async function sessionOf(
  row: InboxRow,
  turn: Turn,
  { engine, ledger, clock, signal }: { engine: Engine; ledger: Ledger; clock: Clock; signal: AbortSignal },
): Promise<SessionOfTurn> {
  const { lane, address, person } = row;
  const { bindings } = ledger;
  const bound = turn.sessionID ?? bindings.sessionOf(lane);
  if (bound !== undefined && (await engine.hasSession(bound, signal))) {
    // Before the run begins: a person who is un-linked after this finds that both have spoken in a session that was resumed.
    const speaks =
      bindings.isAnnounced(lane, bound) || (await ledger.commit(() => bindings.say(lane, bound), 'written'));
    if (speaks) return { id: bound, begun: 'before' };
  }
  const isFirst = bound === undefined && !bindings.hasLost(lane);
  const sourceMetadata = placeOfSession(address, lane);
  const how = { idempotencyKey: `for-${turn.runKey}`, signal };
  const session = await engine.createSession({ sourceKind: 'channel', sourceMetadata }, how);
  const made = { id: session.id, at: clock.now(), person, announced: true };
  await ledger.commit(() => bindings.bind(lane, address, made), 'written');
  return { id: session.id, begun: isFirst ? 'now' : 'instead of a lost one' };
}
