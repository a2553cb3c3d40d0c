// What an operator decides about an answer that is not in its chat: it is sent again, or left.
import { ParleyError } from '#base/errors.ts';
import type { Sender } from './sender.ts';
import type { SenderOptions } from './sender-options.ts';

export interface SettleUndelivered {
  /**
   * Sends what is missing of an answer that failed, in its turn in the chat; resolves before it is there. A ParleyError `not_found` or
   * `delivery_settled`.
   */
  retry(id: string): Promise<void>;
  /** Gives an answer up: nothing more of it is sent, and no list has it any more. Errors as above. */
  dismiss(id: string): Promise<void>;
}

/** Over the ledger's outbox and the sender that delivers from it. */
export function createSettleUndelivered({
  ledger,
  clock,
  sender,
}: Pick<SenderOptions, 'ledger' | 'clock'> & { sender: Pick<Sender, 'deliver'> }): SettleUndelivered {
  const rowOf = (id: string) => {
    const row = ledger.outbox.get(id);
    if (row === undefined)
      throw new ParleyError('not_found', `There is no answer ${id}.`, {
        hint: 'GET /delivery/waiting lists those that are not in their chats.',
      });
    return { row, state: ledger.outbox.stateOf(id) };
  };
  return {
    async retry(id) {
      const address = await ledger.commit(() => {
        const { row, state } = rowOf(id);
        if (state !== 'failed')
          throw settled(state === 'open' ? 'Parley is sending this answer already.' : inChat);
        ledger.outbox.reopen(id);
        return row.address;
      });
      void sender.deliver(id, address);
    },
    async dismiss(id) {
      await ledger.commit(() => {
        const { state } = rowOf(id);
        if (state === 'done' || state === 'handing over') throw settled(inChat);
        if (state === 'open') ledger.outbox.setState(id, 'failed', 'An operator gave it up.');
        ledger.outbox.dismiss(id, clock.now());
      });
    },
  };
}

const inChat = 'This answer is in its chat already.';

function settled(words: string): ParleyError {
  return new ParleyError('delivery_settled', words);
}
