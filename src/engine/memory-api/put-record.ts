// A record as a client puts it: written for the operator, or for the person in a chat whose words the gateway passes on.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import { type Agents, partitionNamed } from '#engine/context/agents.ts';
import { operator } from '#engine/context/scope-of.ts';
import { createAskWhichHolds } from '#engine/tools/ask-which-holds.ts';
import type { MemoryPut, SaidInChat } from '#engine/wire/memory/memory-govern.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Standing } from '#memory/types/note.ts';
import { type Tier, tiers } from '#memory/types/scope.ts';
import { type KnownSessions, refuseUnknownSession } from './session-tier.ts';
import { byGateway, byOperator, singleAudienceScope } from './single-audience.ts';
import { sensitivityOf } from './wire-memory.ts';

/** Puts records; secrets that this program knows are masked in them. */
export function createPutMaskedRecord({
  memory,
  agents,
  sessions,
  secrets,
  clock,
}: {
  memory: Pick<Memory, 'put' | 'journal'>;
  agents: Pick<Agents, 'at'>;
  sessions: KnownSessions;
  secrets: Secrets;
  clock: Clock;
}): MemoryService['putMemory'] {
  const askWhichHolds = createAskWhichHolds(memory, () => true);
  return async (put) => {
    const { audience = operator, said, capability } = put;
    refusePast('expires_at_ms', put.expires_at_ms, clock.now());
    const tier = ownTier(put.tier ?? put.partition?.tier ?? 'global');
    const projectID = put.project_id ?? put.partition?.project_id;
    await refuseUnknownSession(sessions, { tier, sessionID: put.session_id });
    const saved = await memory.put({
      kind: put.kind,
      text: secrets.mask(put.content),
      at: clock.now(),
      ...writtenFor(said, capability?.subject),
      where: {
        audience,
        space: put.space,
        restricted: put.private,
        partition: partitionNamed(agents, put.agent),
      },
      sessionID: put.session_id ?? '',
      runID: put.run_id ?? '',
      projectID,
      tier,
      supersedes: put.supersedes,
      channelTag: put.channel_tag,
      hostTag: put.host_tag,
      sensitivity: put.classification && sensitivityOf(put.classification),
      key: put.key && secrets.mask(put.key),
      tags: put.tags?.map((tag) => secrets.mask(tag)),
      pinned: put.pinned,
      confidence: put.confidence,
      expiresAt: put.expires_at_ms,
      artifactRefs: put.artifact_refs,
      metadata: secrets.maskAll(put.metadata ?? {}),
    });
    const scope = singleAudienceScope(audience);
    const { question } = await askWhichHolds(
      { scope, where: { audience, restricted: true }, platform: 'http', by: byOperator },
      saved,
      { text: secrets.mask(put.content), confidence: put.confidence, key: put.key, projectID },
    );
    const { status } = saved;
    const source = {
      stored: status === 'stored',
      status,
      tier,
      audience,
      partition_key: partitionKey(put, tier),
    };
    return 'id' in saved
      ? {
          ...source,
          id: saved.id,
          ids: saved.chunkIDs,
          redacted: [...saved.redacted],
          audit_id: saved.auditID,
          ...(saved.contradicts !== undefined && { contradicts: wireStanding(saved.contradicts) }),
          ...(question !== undefined && { question }),
          ...(saved.settled !== undefined && { also_supersedes: saved.settled.map(wireStanding) }),
        }
      : { ...source, id: null, ids: [], redacted: [], audit_id: null };
  };
}

function wireStanding({ id, text, confidence, at }: Standing) {
  return { id, content: text, confidence, created_at_ms: at };
}

/** Where a record comes from: of a chat, or of the operator or the `subject` that a capability names. */
export function writtenFor(said: SaidInChat, subject = 'operator') {
  return {
    // the agent is never a name that people give themselves: what the operator writes counts as approved
    speaker: said === undefined ? { person: subject, ...byOperator } : { person: said.person, ...byGateway },
    platform: said?.platform ?? 'api',
    chat: said?.chat ?? 'api',
    messageIDs: said?.message_ids ?? [],
  };
}

/** Tandem's `team` and `curated` are of an organisation, which this program has none of. */
export function ownTier(asked: string): Tier {
  const tier = tiers.find((known) => known === asked);
  if (tier !== undefined) return tier;
  throw new ParleyError('tier_denied', `The ${asked} tier is not of this engine.`, {
    hint: `Name one of ${tiers.join(', ')}.`,
  });
}

function partitionKey({ partition, project_id }: MemoryPut, tier: Tier): string {
  const {
    org_id = 'local',
    workspace_id = 'local',
    project_id: project = project_id ?? '-',
  } = partition ?? {};
  return `${org_id}/${workspace_id}/${project}/${tier}`;
}

/** An end that is over would be stored, and never count: a ParleyError `time_in_the_past`. Times in milliseconds since the epoch. */
export function refusePast(field: string, endsAt: number | undefined, now: number): void {
  if (endsAt === undefined || endsAt > now) return;
  throw new ParleyError(
    'time_in_the_past',
    `Expected ${field} after now (${now}), got ${endsAt}: it would be over already.`,
  );
}
