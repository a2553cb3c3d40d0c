// Where a choice holds that a command makes: in its chat or thread, and for one at the top of a room in the room.

import { roomLaneOf } from '#adapters/gateway/ledger/lane-name.ts';
import type { CommandCall } from './command-context.ts';

/** Whether a command was written at the top of a room; where a mention opens a thread, it stands in a thread with nothing else. */
export function isAtTop({ address, event }: CommandCall['row']): boolean {
  const opened = address.thread !== undefined && address.thread === event.nativeID;
  return address.kind !== 'dm' && (address.thread === undefined || opened);
}

/** The lane that a choice is written for: nobody comes back to a thread that has nothing but the command. */
export function choiceLaneOf(row: CommandCall['row']): string {
  return isAtTop(row) ? roomLaneOf(row.lane) : row.lane;
}
