// The audience that something is stored for: one whose memories someone can be reminded of.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createMeant, type Meant, readMeant } from '#adapters/gateway/ledger/meant.ts';
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
  const found = asked(call.home, (meant) => meant.audiences(audience));
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

/** The audiences, each followed by what people call it, where something gave it a name. */
export function titledAudiences(
  home: string,
  audiences: Iterable<string>,
): ReadonlyMap<string, string | undefined> {
  return asked(home, (meant) => new Map([...audiences].map((each) => [each, meant.titleOf(each)])));
}

/** Asks the ledger of the home folder; without one nobody and no room has a name. */
function asked<T>(home: string, ask: (meant: Meant) => T): T {
  const ledger = join(home, 'gateway.sqlite');
  return existsSync(ledger) ? readMeant(ledger, ask) : ask(createMeant(undefined));
}
