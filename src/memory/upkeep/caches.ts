// What is derived and may go at any time: kept answers, and vectors that wait for their file to be imported anew. Not the indexes.
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { DroppedCaches } from '#memory/terms/keeping.ts';
import type { KeptResponse } from '#memory/terms/response.ts';

type Parts = Pick<Store, 'responses' | 'derived' | 'patiently' | 'leaveNoTrace'>;

/** Keeps an answer, unless a secret is in it: masked it would be another answer. */
export async function keepResponse(
  { responses, patiently }: Pick<Parts, 'responses' | 'patiently'>,
  { redact, now }: { redact: Redact; now: () => number },
  response: KeptResponse,
): Promise<boolean> {
  if ((await redact(response.text)).kinds.length > 0) return false;
  await patiently(() => responses.put(response, now()));
  return true;
}

/** Drops all of it, and its traces in the files. */
export async function dropCaches({
  responses,
  derived,
  patiently,
  leaveNoTrace,
}: Parts): Promise<DroppedCaches> {
  const dropped = await patiently(() => ({
    responses: responses.drop(),
    embeddings: derived.dropCache(),
  }));
  await patiently(leaveNoTrace);
  return dropped;
}
