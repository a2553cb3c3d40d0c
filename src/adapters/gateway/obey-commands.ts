// Carries out the commands that are in the inbox, and knows which of them are in progress.

import { createRemoveMessage } from '#adapters/gateway/delivery/remove-message.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { errorMessage } from '#base/errors.ts';
import { isAbort } from '#base/waiting/async.ts';
import { obey } from './commands/run-command.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { GatewayParts } from './gateway-parts.ts';

interface Obeying {
  /** Begins a command; its failure is logged. */
  begin(row: InboxRow): void;
  /** Resolves when the commands that are in progress now have ended. */
  idle(): Promise<unknown>;
}

/** Runs the commands of one gateway, those of an earlier process included. */
export function createObeying(
  { engine, clock, newId, log }: GatewayOptions,
  { parts, ledger, signal }: { parts: GatewayParts; ledger: Ledger; signal: AbortSignal },
): Obeying {
  const { sender, asks, approvers, accessAdmin, links, ledgerContent, handoffs, exportsFolder, book, lanes } =
    parts;
  const obeying = new Set<Promise<void>>();
  const remove = createRemoveMessage({ limiter: parts.limiter, clock, log, signal });

  return {
    begin(row) {
      const connection = parts.connectionOf(row.address);
      if (connection === undefined) return;
      const deps = {
        ...{
          engine,
          ledger,
          clock,
          newId,
          log,
          signal,
          sender,
          asks,
          approvers,
          accessAdmin,
          links,
          ledgerContent,
        },
        handoffs,
        handOvers: parts.handOvers,
        reading: parts.reading,
        profileOf: parts.profileOf,
        removeMessage: (address: Address, nativeID: string) =>
          remove(connection, { address, idOf: async () => nativeID }, { what: 'answer', command: row.id }),
        exportsFolder,
        book,
        access: parts.accessOf(row.address) ?? openAccess('guest'),
        limits: parts.limits,
        status: parts.status.list,
        stopLane: (lane: string) => lanes.stop(lane),
        wakeLane: (lane: string) => lanes.wake(lane),
        notify: parts.admission.notify,
        agent: parts.assistants.nameIn(row.lane),
        assistants: parts.assistants,
      };
      const done = obey(row, connection.channel, deps)
        .catch((error: unknown) => {
          if (!isAbort(error, signal))
            log.error({ inbox: row.id, words: errorMessage(error) }, 'command failed');
        })
        .finally(() => obeying.delete(done));
      obeying.add(done);
    },
    idle: () => Promise.all(obeying),
  };
}
