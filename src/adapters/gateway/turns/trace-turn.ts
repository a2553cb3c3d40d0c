// A turn as a span: from its first message to the delivered answer, under a key by which engine and sender find it. Ids only, no words.
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import { noTracing, type Span, type Tracing } from '#base/tracing.ts';

/** The span of a turn that is worked on now, with the waits of its messages in it; its key is the turn's id. */
export function traceTurn(turn: Turn, { ledger, tracing }: { ledger: Ledger; tracing: Tracing }): Span {
  // nothing is read for nobody
  const batch = tracing === noTracing ? [] : ledger.inbox.ofTurn(turn.id);
  const startedAtMs = batch[0]?.receivedAt;
  const of = {
    'parley.platform': turn.address.platform,
    'parley.lane': turn.lane,
    'parley.turn.id': turn.id,
  };
  const attributes = { ...of, 'parley.turn.attempts': turn.attempts };
  const span = tracing.root('turn', { key: turn.id, startedAtMs, attributes, kind: 'consumer' });
  // reported when the turn begins, from the ledger: so a message that was accepted before a restart is reported as well
  for (const { id, receivedAt } of batch)
    span.child('message', { startedAtMs: receivedAt, attributes: { ...of, 'parley.message.id': id } }).end();
  return span;
}
