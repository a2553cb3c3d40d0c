// Searches of clients: everything of one audience, or only its governed records.
import { errorMessage, ParleyError } from '#base/errors.ts';
import { type Agents, partitionNamed } from '#engine/context/agents.ts';
import { operator } from '#engine/context/scope-of.ts';
import { lookWords } from '#engine/wire/memory/look-words.ts';
import type { MemoryFindings, MemorySearch } from '#engine/wire/memory/memory.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import { type Scope, type Tier, tiers } from '#memory/types/scope.ts';
import { byOperator, singleAudienceScope } from './single-audience.ts';
import { type AnsweredBy, wireEntryOfRecord, wireItem } from './wire-memory.ts';

type Results = MemoryFindings['results'];

/** What is found is noted as read in the audit; where that fails, the answer says so. */
export function createClientSearch({
  memory,
  agents,
  answeredBy,
}: {
  memory: Pick<Memory, 'search' | 'records' | 'marked' | 'noteRead'>;
  agents: Pick<Agents, 'at'>;
  answeredBy: AnsweredBy;
}): MemoryService['searchMemory'] {
  const everything = async (
    search: MemorySearch,
    scope: Scope,
  ): Promise<{ results: Results; degraded: string[] }> => {
    const { query: text, limit, corpus } = search;
    const projectID = search.project_id ?? search.partition?.project_id;
    const asked = { text, scope, projectID, besideProject: true, limit, corpus };
    const { hits, degraded } = await memory.search(asked);
    const records = await recordsOf(hits, scope);
    const results = hits.map((hit) => ({
      ...wireItem(hit, records.get(hit.recordID ?? ''), answeredBy),
      ...(hit.file !== undefined && { file: hit.file }),
      score: hit.score,
      influence: hit.scoreParts,
    }));
    return { results, degraded };
  };
  const recordsAlone = async (search: MemorySearch, scope: Scope): Promise<Results> => {
    const found = await memory.marked({
      text: search.query,
      scope,
      projectID: search.project_id ?? search.partition?.project_id,
      besideProject: true,
      channelTag: search.channel_tag,
      hostTag: search.host_tag,
      kind: search.kind,
      key: search.key,
      tag: search.tag,
      pinned: search.pinned,
      limit: search.limit,
    });
    return found.map((record) => ({
      ...wireItem(wireEntryOfRecord(record), record, answeredBy),
      score: record.score,
      influence: { words: record.score },
    }));
  };
  const recordsOf = async (entries: readonly Entry[], scope: Scope): Promise<Map<string, GovernedRecord>> => {
    const ids = entries.flatMap(({ recordID }) => recordID ?? []);
    const records = ids.length === 0 ? [] : await memory.records({ scope, ids });
    return new Map(records.map((record) => [record.id, record]));
  };

  return async (search) => {
    const projectID = search.project_id ?? search.partition?.project_id;
    const asked = search.read_scopes ?? tiers;
    const used = asked.filter(isTier);
    const scope = {
      ...singleAudienceScope(search.audience),
      ...(search.agent !== undefined && {
        everyPartition: false,
        partition: partitionNamed(agents, search.agent),
      }),
      sessionID: search.session_id,
      projectID,
      tiers: used,
    };
    const narrowed = [
      ...[search.channel_tag, search.host_tag, search.kind, search.key, search.tag],
      search.pinned === true ? 'pinned' : undefined,
    ].some((tag) => tag !== undefined);
    const isOfRecords = search.source === 'records' || narrowed;
    if (isOfRecords && search.corpus !== undefined)
      throw new ParleyError(
        'invalid_memory_call',
        `corpus: expected none where only records are searched (source "records", or a tag, kind, key or pin), received ${JSON.stringify(search.corpus)}.`,
      );
    const { results, degraded } = isOfRecords
      ? { results: await recordsAlone(search, scope), degraded: [] }
      : await everything(search, scope);
    const read = results.map(({ id }) => ({ id, audience: search.audience ?? operator }));
    const by = { ...byOperator, runID: search.run_id };
    const noted = await memory.noteRead({ by, how: lookWords.searchMemory, shown: read }).catch(errorMessage);
    const unnoted = typeof noted === 'string' ? [`the read could not be noted in the audit (${noted})`] : [];
    return {
      results,
      scopes_used: used,
      blocked_scopes: asked.filter((tier) => !isTier(tier)),
      audit_id: typeof noted === 'string' ? null : (noted[0] ?? null),
      degraded: [...degraded, ...unnoted],
    };
  };
}

function isTier(asked: string): asked is Tier {
  return tiers.some((tier) => tier === asked);
}
