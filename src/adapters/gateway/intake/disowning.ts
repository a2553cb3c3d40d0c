// What another instance has taken in too is left to it: nothing of ours is answered or sent for it.
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { channelName } from '#adapters/gateway/terms/channel.ts';
import type { MessageKey, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { NewId } from '#base/ids.ts';
import type { SinkOptions } from './sink-options.ts';

/** The part of a sink that says what waits here, and leaves of it what is another's. */
export function disowning({
  ledger,
  connection: { channel },
  clock,
  newId,
}: Pick<SinkOptions, 'ledger' | 'connection' | 'clock' | 'newId'>): Pick<Sink, 'unanswered' | 'disown'> {
  const { platform } = channel;
  const isOurs = ({ address }: MessageKey): boolean => {
    const accountName = ledger.botAccounts.nameOf(platform, address.account);
    return channelName({ platform, accountName }) === channelName(channel);
  };
  return {
    unanswered: async () => ledger.inbox.unanswered(platform).filter(isOurs),
    disown: (messages) =>
      ledger.commit(() => leave(messages, { ledger, newId, now: clock.now() }), 'on disk'),
  };
}

interface LeavingOptions {
  ledger: Pick<Ledger, 'inbox' | 'turns' | 'outbox'>;
  newId: NewId;
  now: number;
}

/** Leaves these messages, inside of a transaction. An answer of which something stands, or may, and one to other messages too, goes on. */
function leave(messages: readonly MessageKey[], { ledger, newId, now }: LeavingOptions): void {
  const { inbox, turns, outbox } = ledger;
  const rows = messages.flatMap(({ address, nativeID }) => inbox.findAll(address, nativeID));
  const ids = new Set(rows.map(({ id }) => id));
  const waiting = rows.filter(({ state }) => state === 'waiting');
  inbox.settle(
    waiting.map(({ id }) => id),
    'cancelled',
  );
  for (const turnID of new Set(rows.flatMap((row) => row.turnID ?? []))) {
    const turn = turns.get(turnID);
    if (turn === undefined || !inbox.ofTurn(turnID).every(({ id }) => ids.has(id))) continue;
    const standing = outbox.idOfTurn(turnID);
    const row = standing === undefined ? undefined : outbox.get(standing);
    const isUntouched = row?.parts.every(({ state }) => state === 'unsent') ?? true;
    if (standing !== undefined && (outbox.stateOf(standing) !== 'open' || !isUntouched)) continue;
    const id = standing ?? newId('out');
    // the run that is under way finds that its answer is on record already, and takes its previews away
    if (standing === undefined)
      outbox.insert({ id, address: turn.address, replyTo: turn.replyTo, turnID, parts: [], at: now });
    outbox.setState(id, 'failed');
    outbox.dismiss(id, now);
    turns.setState(turnID, 'answered');
    inbox.settleTurn(turnID, 'cancelled');
  }
}
