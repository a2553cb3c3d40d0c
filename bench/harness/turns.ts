// Two things measured in turns, so that the same noise meets both.

/** So many pairs of measurements; which of the two is first changes from turn to turn. */
export async function inTurns<T>(
  turns: number,
  one: () => Promise<T>,
  other: () => Promise<T>,
): Promise<{ one: T; other: T }[]> {
  const pairs: { one: T; other: T }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn % 2 === 0) {
      const first = await one();
      pairs.push({ one: first, other: await other() });
    } else {
      const first = await other();
      pairs.push({ one: await one(), other: first });
    }
  }
  return pairs;
}
