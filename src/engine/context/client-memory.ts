// What clients read of memory, and delete: inside the audience that they name, or inside what their own runs may recall.
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import type { MemoryFindings, MemoryList, MemorySearch } from '#engine/wire/memory.ts';
import type { MemoryService } from '#engine/wire/memory-service.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import { type Audience, type Scope, type Tier, tiers } from '#memory/types/scope.ts';
import { operator } from './scope-of.ts';
import { wireEntry, wireEntryOfRecord, wireItem } from './wire-memory.ts';

export type ClientMemory = Pick<
  MemoryService,
  | 'searchMemory'
  | 'listMemory'
  | 'showMemory'
  | 'deleteMemory'
  | 'forgetMemory'
  | 'memoryPlaces'
  | 'memoryBudgets'
>;

type Results = MemoryFindings['results'];

/** Ids of what would go next. */
const maxShownIDs = 100;

/** Who asks here, for the audit. */
export const byOperator = { name: 'operator' };
/** Who passes on what people save and delete in chats. */
export const byGateway = { name: 'gateway' };

/** The scope of one audience only, in the memory of every agent; without a name the operator's own. */
export function singleAudienceScope(audience: Audience = operator): Scope {
  return { audiences: [audience], spaces: [], everyone: false, everyPartition: true };
}

/**
 * Memory for anyone who has the token: the operator, who may read every session here, and so may name any audience. No call
 * reaches beyond one audience, and without a name it is only `person:operator`, which is also
 * where runs without a chat recall from.
 */
export function createClientMemory(options: {
  memory: Pick<
    Memory,
    'search' | 'records' | 'page' | 'show' | 'forgotten' | 'places' | 'forget' | 'noteRead' | 'budgets'
  >;
  secrets: Secrets;
}): ClientMemory {
  const { memory } = options;
  /** When the entry was forgotten, by which person and why; undefined when it was not. */
  const forgottenOf = async (id: string, of: Audience = operator): Promise<ParleyError | undefined> => {
    const forgotten = await memory.forgotten({ id, of });
    if (forgotten === undefined) return undefined;
    const { at, by, reason } = forgotten;
    const why = reason === undefined ? 'no reason was given' : `the reason given: ${reason}`;
    return new ParleyError(
      'memory_forgotten',
      `This memory was forgotten at ${new Date(at).toISOString()} by ${by}; ${why}.`,
    );
  };

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
      ...wireItem(hit, records.get(hit.recordID ?? '')),
      ...(hit.file !== undefined && { file: hit.file }),
      score: hit.score,
      influence: hit.scoreParts,
    }));
    return { results, degraded };
  };
  const recordsAlone = async (search: MemorySearch, scope: Scope): Promise<Results> => {
    const found = await memory.records({
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
      ...wireItem(wireEntryOfRecord(record), record),
      score: record.score,
      influence: { words: record.score },
    }));
  };
  const recordsOf = async (entries: readonly Entry[], scope: Scope): Promise<Map<string, GovernedRecord>> => {
    const ids = entries.flatMap(({ recordID }) => recordID ?? []);
    const records = ids.length === 0 ? [] : await memory.records({ scope, ids });
    return new Map(records.map((record) => [record.id, record]));
  };

  return {
    async searchMemory(search) {
      const projectID = search.project_id ?? search.partition?.project_id;
      const asked = search.read_scopes ?? tiers;
      const used = asked.filter(isTier);
      const scope = {
        ...singleAudienceScope(search.audience),
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
      const noted = await memory
        .noteRead({ by, how: 'POST /memory/search', shown: read })
        .catch(errorMessage);
      const unnoted =
        typeof noted === 'string' ? [`the read could not be noted in the audit (${noted})`] : [];
      return {
        results,
        scopes_used: used,
        blocked_scopes: asked.filter((tier) => !isTier(tier)),
        audit_id: typeof noted === 'string' ? null : (noted[0] ?? null),
        degraded: [...degraded, ...unnoted],
      };
    },
    async listMemory({ words, audience, projectID, limit, offset, after, ...of }: MemoryList) {
      const scope = singleAudienceScope(audience);
      const isNarrowed = Object.values(of).some((value) => value !== undefined && value !== false);
      const page = (entries: readonly Entry[], next: string | null) => {
        return { items: entries.map(wireEntry), count: entries.length, offset, limit, next };
      };
      if (!isNarrowed) {
        const { entries, next = null } = await memory.page({ scope, words, projectID, limit, offset, after });
        return page(entries, next);
      }
      if (after !== undefined)
        throw new ParleyError(
          'invalid_memory_call',
          'after: expected none in a list of governed records (kind, key, tag, pin, user_id or channel_tag), which has `offset`.',
        );
      const records = await memory.records({ text: words, scope, projectID, ...of, limit: limit + offset });
      return page(records.slice(offset).map(wireEntryOfRecord), null);
    },
    async showMemory(id, { audience } = {}) {
      const scope = singleAudienceScope(audience);
      const entry = await memory.show({ id, scope });
      const versions = await memory.records({ scope, ids: [entry?.recordID ?? id] });
      const record = versions.find((version) => version.id === (entry?.recordID ?? id));
      const shown = entry ?? (record === undefined ? undefined : wireEntryOfRecord(record));
      if (shown === undefined) throw (await forgottenOf(id, audience)) ?? notFound(audience);
      return {
        item: wireItem(shown, record),
        versions: versions.map((version) => wireItem(wireEntryOfRecord(version), version)),
      };
    },
    async deleteMemory(id, { audience, reason } = {}) {
      const { entries, remains } = await memory.forget({
        scope: singleAudienceScope(audience),
        selection: { ids: [id] },
        mode: 'forget',
        by: byOperator,
        reason: reason === undefined ? undefined : options.secrets.mask(reason),
      });
      if (entries === 0) throw notFound(audience);
      return { traces: remains.length };
    },
    async forgetMemory({ audience, kind, key, tag, project_id: project, apply, reason }) {
      const { entries, pinned, samples, forgotten, remains } = await memory.forget({
        scope: singleAudienceScope(audience),
        selection: { kind, key, tag, project },
        mode: apply ? 'forget' : 'preview',
        by: byOperator,
        reason: reason === undefined ? undefined : options.secrets.mask(reason),
      });
      return { applied: forgotten, entries, pinned, samples: samples.map(wireEntry), remains };
    },
    async memoryBudgets({ audience } = {}) {
      const budgets = await memory.budgets({ audience });
      return {
        budgets: budgets.map(({ owner, uses, next }) => ({
          audience: owner.type === 'audience' ? owner.audience : null,
          agent: owner.type === 'agent' ? (owner.agent ?? null) : null,
          uses,
          next:
            next === undefined
              ? null
              : { step: next.step, bound: next.over.bound, memory_ids: next.ids.slice(0, maxShownIDs) },
        })),
      };
    },
    memoryPlaces: async () => ({ audiences: await memory.places() }),
  };
}

function notFound(audience: Audience = operator): ParleyError {
  return new ParleyError('memory_not_found', `${audience} has no memory with this id.`, {
    hint: 'List what there is, and name the audience that it belongs to.',
  });
}

function isTier(asked: string): asked is Tier {
  return tiers.some((tier) => tier === asked);
}
