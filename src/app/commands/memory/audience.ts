// The audience that something is stored for: one whose memories someone can be reminded of.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readMeant } from '#adapters/gateway/ledger/meant.ts';
import { ParleyError } from '#base/errors.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { ActionContext } from './call.ts';
import { namedAudience } from './call.ts';

/**
 * The audience that was named, or the operator's own; a ParleyError `invalid_usage` for one that nobody is in: neither met by the gateway
 * of this home folder, nor known to its memory.
 */
export async function existingAudience(call: ActionContext): Promise<Audience> {
  const audience = namedAudience(call);
  if (call.values.audience === undefined || audience === 'person:operator') return audience;
  const places = await call.memory.places();
  if (places.some((place) => place.audience === audience)) return audience;
  const ledger = join(call.home, 'gateway.sqlite');
  const found = existsSync(ledger)
    ? readMeant(ledger, (meant) => meant.audiences(audience))
    : { isKnown: false, alike: [] };
  if (found.isKnown) return audience;
  const known = found.alike.length > 0 ? found.alike : places.map((place) => place.audience).slice(0, 3);
  const meant = known.length === 0 ? '' : ` Did you mean ${known.join(' or ')}?`;
  throw new ParleyError(
    'invalid_usage',
    `There is no ${audience}: nobody could read what is stored for it.`,
    {
      hint: `Leave --audience out for your own memory (person:operator).${meant} "parley memory status" shows who has memories, "parley people list" who is known.`,
    },
  );
}
