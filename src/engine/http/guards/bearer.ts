// Whether a request carries the engine's token.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ParleyError } from '#base/errors.ts';

/** True when the `Authorization` header is `Bearer <token>` with the right token. */
export type CheckBearer = (authorization: string | undefined) => boolean;

/** A check in constant time: both sides are hashed, so neither content nor length can be timed. A blank token throws. */
export function createCheckBearer(token: string): CheckBearer {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ParleyError(
      'token_invalid',
      'The engine token must be printable ASCII without spaces, and not empty.',
      { hint: 'Set PARLEY_TOKEN to such a value, or leave it out to have one made.' },
    );
  const expected = digest(token);
  return (authorization) => {
    const given = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
