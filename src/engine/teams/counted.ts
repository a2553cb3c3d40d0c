// An instance as decisions count it. Pure.
import type { Counted } from './decide.ts';
import { type Instance, isOpen } from './instance-rows.ts';

/** What of the instance a decision needs. */
export function countedOf(instance: Instance): Counted {
  const { id, parentID, depth, granted, spent } = instance;
  return { id, parentID, depth, granted, spent, isOpen: isOpen(instance) };
}
