// What is derived and may go at any time: cached answers, and vectors that wait for their file to be imported again.
import type { SqlStorage } from '#base/sql/sql.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { ResponseWork } from '#memory/tables/responses.ts';
import type { DroppedCaches } from '#memory/types/maintenance.ts';
import type { CachedResponse } from '#memory/types/response.ts';

type Parts = Pick<Store, 'responses' | 'derived' | 'retryWhileLocked' | 'leaveNoTrace'>;

/** Stores an answer, unless a secret is in it: masked it would be another answer. */
export async function keepResponse(
  { responses, storage }: { responses: Pick<ResponseWork, 'put'>; storage: SqlStorage },
  { redact, now }: { redact: Redact; now: () => number },
  response: CachedResponse,
): Promise<boolean> {
  if ((await redact(response.text)).kinds.length > 0) return false;
  await storage.write(() => responses.put(response, now()));
  return true;
}

/** Drops all of it, and its traces in the files. */
export async function dropCaches({
  responses,
  derived,
  retryWhileLocked,
  leaveNoTrace,
}: Parts): Promise<DroppedCaches> {
  const dropped = await retryWhileLocked(() => ({
    responses: responses.drop(),
    embeddings: derived.dropCache(),
  }));
  await retryWhileLocked(leaveNoTrace);
  return dropped;
}
