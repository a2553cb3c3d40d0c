// What clients read of memory, and delete: inside the audience that they name, or inside what their own runs may recall.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Agents } from '#engine/context/agents.ts';
import { operator } from '#engine/context/scope-of.ts';
import type { PlaceNameTable } from '#engine/sessions/place-names.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';
import { createClientSearch } from './client-search.ts';
import { byOperator, singleAudienceScope } from './single-audience.ts';
import { type AnsweredBy, wireEntry, wireEntryOfRecord, wireItem } from './wire-memory.ts';

type ClientMemory = Pick<
  MemoryService,
  | 'searchMemory'
  | 'listMemory'
  | 'showMemory'
  | 'deleteMemory'
  | 'forgetMemory'
  | 'memoryPlaces'
  | 'memoryBudgets'
>;

/** Ids of what would go next. */
const maxShownIDs = 100;

/**
 * Memory for the holder of the token: the operator, who may read every session here, and so may name any audience. No call
 * reaches beyond one audience, and without a name it is only `person:operator`, which is also
 * where runs without a chat recall from.
 */
export function createClientMemory(options: {
  memory: Pick<
    Memory,
    | 'search'
    | 'records'
    | 'marked'
    | 'page'
    | 'show'
    | 'forgotten'
    | 'places'
    | 'forget'
    | 'noteRead'
    | 'budgets'
  >;
  secrets: Secrets;
  agents: Pick<Agents, 'at'>;
  /** What the platform calls the places of a chat. */
  namesOf: PlaceNameTable['of'];
  answeredBy: AnsweredBy;
}): ClientMemory {
  const { memory, namesOf, answeredBy } = options;
  const shownEntry = (entry: Entry) => wireEntry(entry, answeredBy);
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

  return {
    searchMemory: createClientSearch({ memory, agents: options.agents, answeredBy }),
    async listMemory({ q: words, audience, project_id: projectID, limit, offset, after, ...rest }) {
      const scope = singleAudienceScope(audience);
      const { user_id: userID, channel_tag: channelTag, kind, key, tag, pinned } = rest;
      const of = { userID, channelTag, kind, key, tag, pinned };
      const isNarrowed = Object.values(of).some((value) => value !== undefined);
      const page = (entries: readonly Entry[], next: string | null) => {
        return { items: entries.map(shownEntry), count: entries.length, offset, limit, next };
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
      const records = await memory.marked({ text: words, scope, projectID, ...of, limit: limit + offset });
      return page(records.slice(offset).map(wireEntryOfRecord), null);
    },
    async showMemory({ id, audience }) {
      const scope = singleAudienceScope(audience);
      const entry = await memory.show({ id, scope });
      const versions = await memory.records({ scope, ids: [entry?.recordID ?? id] });
      const record = versions.find((version) => version.id === (entry?.recordID ?? id));
      const shown = entry ?? (record === undefined ? undefined : wireEntryOfRecord(record));
      if (shown === undefined) throw (await forgottenOf(id, audience)) ?? memoryNotFound(audience);
      return {
        item: wireItem(shown, record, answeredBy),
        versions: versions.map((version) => wireItem(wireEntryOfRecord(version), version, answeredBy)),
      };
    },
    async deleteMemory({ id, audience, reason }) {
      const { entries, remains } = await memory.forget({
        scope: singleAudienceScope(audience),
        selection: { ids: [id] },
        mode: 'forget',
        by: byOperator,
        reason: reason === undefined ? undefined : options.secrets.mask(reason),
      });
      if (entries === 0) throw memoryNotFound(audience);
      return { ok: true, id, traces: remains.length };
    },
    async forgetMemory({ audience, apply, reason, ...given }) {
      const { project_id: project, session_id: session, run_id: run, ...rest } = given;
      const { from_ms: from, until_ms: until, ...of } = rest;
      const { entries, pinned, samples, forgotten, remains } = await memory.forget({
        scope: singleAudienceScope(audience),
        selection: { ...of, project, session, run, from, until },
        mode: apply ? 'forget' : 'preview',
        by: byOperator,
        reason: reason === undefined ? undefined : options.secrets.mask(reason),
      });
      return { applied: forgotten, entries, pinned, samples: samples.map(shownEntry), remains };
    },
    async memoryBudgets({ audience }) {
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
    async memoryPlaces({ limit }) {
      const places = await memory.places(limit);
      return {
        audiences: places.map((place) => ({
          ...place,
          ...defined({ names: namesOf(chatOf(place.audience)) }),
        })),
      };
    },
  };
}

/** The address of a room; of a person no chat's. */
const chatOf = (audience: Audience): string =>
  audience.startsWith('room:') ? audience.slice('room:'.length) : '';

/** There is no memory with the id that was given. */
export function memoryNotFound(audience: Audience = operator): ParleyError {
  return new ParleyError('memory_not_found', `${audience} has no memory with this id.`, {
    hint: 'List what there is, and name the audience that it belongs to.',
  });
}
