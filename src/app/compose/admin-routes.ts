// The operations of the process with the channels over HTTP: refused until the gateway is there, and once it is closed.
import type { Gateway } from '#adapters/gateway/gateway.ts';
import { ParleyError } from '#base/errors.ts';
import { operationRoutes } from '#engine/http/routing/operation-routes.ts';
import type { Route } from '#engine/http/routing/route.ts';
import { type Operations, operationNames, type ServiceOf } from '#engine/operations/operation.ts';
import {
  deliveryOperations,
  peopleOperations,
  storedOperations,
  tokenOperations,
} from '#engine/wire/channels/channel-operations.ts';

/** The routes over a gateway that is undefined while it is not open. */
export function adminRoutes(gateway: () => Gateway | undefined): Route[] {
  return [
    ...lateRoutes(peopleOperations, () => gateway()?.accessAdmin),
    ...lateRoutes(tokenOperations, () => gateway()?.tokens),
    ...lateRoutes(deliveryOperations, () => gateway()?.deliveries),
    ...lateRoutes(storedOperations, () => gateway()?.ledgerContent),
  ];
}

function lateRoutes<Table extends Operations>(
  table: Table,
  part: () => ServiceOf<Table> | undefined,
): Route[] {
  const opened = (): ServiceOf<Table> => {
    const made = part();
    if (made !== undefined) return made;
    throw new ParleyError('not_ready', 'The channels are starting or stopping; try again in a moment.');
  };
  const service = operationNames(table).map((name) => {
    const call = async (input: object): Promise<unknown> => {
      const own = opened()[name] as unknown as (input: object) => Promise<unknown>; // it has each name of the table
      return own(input);
    };
    return [name, call];
  });
  return operationRoutes(table, Object.fromEntries(service) as ServiceOf<Table>, 'service'); // as above
}
