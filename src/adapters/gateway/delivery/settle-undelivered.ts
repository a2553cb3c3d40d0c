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
  const whyNot = (id: string): ParleyError => {
    const state = ledger.outbox.stateOf(id);
    if (state === undefined)
      return new ParleyError('not_found', `There is no answer ${id}.`, {
        hint: 'GET /delivery/waiting lists those that are not in their chats.',
      });
    const isSending = state === 'open';
    return new ParleyError(
      'delivery_settled',
      isSending ? 'Parley is sending this answer already.' : 'This answer is in its chat already.',
    );
  };
  return {
    async retry(id) {
      const address = await ledger.commit(() => {
        const reopened = ledger.outbox.reopen(id);
        if (reopened === undefined) throw whyNot(id);
        return reopened;
      });
      void sender.deliver(id, address);
    },
    async dismiss(id) {
      await ledger.commit(() => {
        const state = ledger.outbox.stateOf(id);
        if (state === 'open') ledger.outbox.setState(id, 'failed', 'An operator gave it up.');
        else if (state !== 'failed') throw whyNot(id);
        ledger.outbox.dismiss(id, clock.now());
      });
    },
  };
}
