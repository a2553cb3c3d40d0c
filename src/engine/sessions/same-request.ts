// Whether an idempotency key that came before came with the same request.
import { hash } from 'node:crypto';
import { ParleyError } from '#base/errors.ts';

/** A hash of a request that survives JSON; its keys in the order of its schema. */
export function requestHashOf(request: unknown): string {
  return hash('sha256', JSON.stringify(request));
}

/**
 * Throws a ParleyError `idempotency_key_reused` when both hashes are known and differ. One is unknown where an earlier version stored the
 * request, or where the caller may send other words under its key.
 */
export function refuseOtherRequest(before: string | undefined, now: string | undefined): void {
  if (before === undefined || now === undefined || before === now) return;
  throw new ParleyError(
    'idempotency_key_reused',
    'This idempotency key came before with another request. Use a new key for each request.',
  );
}
