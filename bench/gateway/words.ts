// What the load users say: statements that differ, as people's do, and the same in every run. Nothing is random.

const subjects =
  'the boiler,my sister,our train,the blue bicycle,the invoice,grandmother,the garden,the team,a neighbour,the dentist'.split(
    ',',
  );
const verbs = 'arrives,breaks,costs,needs,starts,ends,moves,waits,changes,opens'.split(',');
const objects =
  'next Tuesday,at the old harbour,for forty euros,before noon,without notice,near the station,after the holidays,in the cellar,twice a week,with two suitcases'.split(
    ',',
  );

/** A statement that no other number gives; the offline model notes it. */
export function statement(number: number): string {
  const pick = (list: readonly string[], step: number): string =>
    list[Math.floor(number / step) % list.length] ?? '';
  return `Note ${number}: ${pick(subjects, 1)} ${pick(verbs, 10)} ${pick(objects, 100)}, and locker ${(number * 7919) % 10_007} has it.`;
}
