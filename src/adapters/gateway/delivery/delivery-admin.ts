// What an operator sees and decides of answers on their way: one that is not in its chat is sent again, or left.
import { ParleyError } from '#base/errors.ts';
import type { DeliveryAdmin } from '#engine/wire/channels/channel-operations.ts';
import type { Sender } from './sender.ts';
import type { SenderOptions } from './sender-options.ts';

/** What failed longer ago is no news. */
const failedMs = 7 * 86_400_000;
/** What is open for longer than this waits for something. */
const openMs = 60_000;

/** Over the ledger's outbox and the sender that delivers from it. */
export function createDeliveryAdmin({
  ledger,
  clock,
  sender,
}: Pick<SenderOptions, 'ledger' | 'clock'> & { sender: Pick<Sender, 'deliver'> }): DeliveryAdmin {
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
    async waiting() {
      const now = clock.now();
      return ledger.deliveries.undelivered({ since: now - failedMs, openSince: now - openMs });
    },
    ofRun: async ({ run }) => ledger.deliveries.ofRun(run),
    async retry({ id }) {
      const address = await ledger.commit(() => {
        const reopened = ledger.outbox.reopen(id);
        if (reopened === undefined) throw whyNot(id);
        return reopened;
      });
      void sender.deliver(id, address);
    },
    async dismiss({ id }) {
      await ledger.commit(() => {
        const state = ledger.outbox.stateOf(id);
        if (state === 'open') ledger.outbox.setState(id, 'failed', 'An operator gave it up.');
        else if (state !== 'failed') throw whyNot(id);
        ledger.outbox.dismiss(id, clock.now());
      });
    },
  };
}
