// Words for the owners that no message of theirs asked for: in the direct message of each, where there is one. Not what is told.
import type { Approvers } from './approvers.ts';
import type { Door } from './door.ts';

/** Says the words to every owner with a direct message; resolves with how many there are, once the words are on record. */
export function createTellOwners({
  approvers,
  door,
}: {
  approvers: Pick<Approvers, 'directOfOwners'>;
  door: Pick<Door, 'tell'>;
}): (words: string) => Promise<number> {
  return async (words) => {
    const places = approvers.directOfOwners();
    for (const address of places) await door.tell(address, words);
    return places.length;
  };
}
