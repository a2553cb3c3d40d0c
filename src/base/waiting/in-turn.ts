// Several ordered lists as one, where what is in them cannot be compared.

/** The first of each list, then the second of each, up to the limit. */
export function inTurn<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const taken: T[] = [];
  for (let place = 0; taken.length < limit; place += 1) {
    const next = lists.flatMap((list) => list.slice(place, place + 1));
    if (next.length === 0) break;
    taken.push(...next);
  }
  return taken.slice(0, limit);
}
