// What clients with the token read and change: one audience at a time, under a name for the audit.

import { operator } from '#engine/context/scope-of.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';

/** Who asks here, for the audit. */
export const byOperator = { name: 'operator' };
/** Who passes on what people save and delete in chats. */
export const byGateway = { name: 'gateway' };

/** The scope of one audience only, in the memory of every agent; without a name the operator's own. */
export function singleAudienceScope(audience: Audience = operator): Scope {
  return { audiences: [audience], spaces: [], everyone: false, everyPartition: true };
}
