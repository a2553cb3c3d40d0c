// The arguments by which a model narrows what it reads of memory, or says for how much it writes. They never widen what the run may do.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import {
  isRepeatable,
  type ReaderOperation,
  readerOperations,
} from '#engine/wire/memory/reader-operations.ts';
import { readerToolName } from '#engine/wire/runs/tool-names.ts';
import { type Scope, type Tier, tiers } from '#memory/types/scope.ts';
import type { ToolContext } from './definition/registry.ts';

/** What a model's tool has of the operation of readers that has its name: over MCP it is the same tool. */
export function sameAs(operation: ReaderOperation): { name: string; idempotent: boolean } {
  return { name: readerToolName(operation), idempotent: isRepeatable(readerOperations[operation].effect) };
}

const id = z.string().min(1).max(200).optional();

/** Tandem's names for them. */
export const reachFields = {
  tier: z
    .enum(tiers)
    .optional()
    .describe('session: of this conversation; project: of its project; global: of every conversation here'),
  session_id: id.describe('This conversation; leave it out, it is known'),
  project_id: id.describe('The project of this conversation; leave it out, it is known'),
  allow_global: z.boolean().optional().describe('false: not the global tier'),
};

type Reach = z.infer<z.ZodObject<typeof reachFields>>;

/**
 * What the run may read, or the part of it that was asked for. A ParleyError with a message for a session or a project that is not the
 * run's own, and for a tier that it has none of.
 */
export function narrowed(context: ToolContext, reach: Reach): Scope {
  refuseForeign(context, reach);
  const wanted = wantedTiers(context, reach);
  return wanted === undefined ? context.scope : { ...context.scope, tiers: wanted };
}

/**
 * The tier of what is written: as it was asked for; else for the project of the run, where there is one, else for every conversation of
 * its audience, or for this one where that was forbidden. A ParleyError with a message as in `narrowed`.
 */
export function tierToWrite(context: ToolContext, reach: Reach): Tier {
  refuseForeign(context, reach);
  const [tier] = wantedTiers(context, reach) ?? [];
  if (reach.tier !== undefined && tier !== undefined) return tier;
  if (context.place.projectID !== undefined) return 'project';
  return reach.allow_global === false ? 'session' : 'global';
}

function wantedTiers({ place }: ToolContext, { tier, allow_global }: Reach): readonly Tier[] | undefined {
  if (tier === 'project' && place.projectID === undefined)
    throw new ParleyError(
      'missing_project_scope',
      'This conversation belongs to no project, so the project tier has nothing for it. Use session or global, or leave tier out.',
    );
  if (tier === 'global' && allow_global === false)
    throw new ParleyError(
      'global_scope_disabled',
      'tier is global and allow_global is false. Leave out one of them.',
    );
  if (tier !== undefined) return [tier];
  return allow_global === false ? tiers.filter((each) => each !== 'global') : undefined;
}

function refuseForeign({ asking, place }: ToolContext, { session_id, project_id }: Reach): void {
  if (session_id !== undefined && session_id !== asking.sessionID)
    throw new ParleyError(
      'missing_session_scope',
      'session_id is not this conversation, and no other one may be read or written from here. Leave it out.',
    );
  if (project_id !== undefined && project_id !== place.projectID)
    throw new ParleyError(
      'missing_project_scope',
      `project_id is not the project of this conversation${place.projectID === undefined ? ', which has none' : ''}, and no other one may be read or written from here. Leave it out.`,
    );
}

/**
 * The part of what may be read here that is the conversation's own: in a direct message, what this person said in private on linked
 * accounts; in a room, what was written in it. Never what other rooms or a space only let everyone read.
 */
export function ownScope({ scope, place }: ToolContext): Pick<Scope, 'audiences' | 'spaces' | 'everyone'> {
  const own = scope.audiences.filter(
    (audience) => audience === place.where.audience || audience.startsWith('person:'),
  );
  return { audiences: own, spaces: [], everyone: false };
}
