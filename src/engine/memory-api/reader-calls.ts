// The journal and memory for a reader who is no run: the scope is made here, of who reads and from where.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import { type Agents, partitionNamed } from '#engine/context/agents.ts';
import { provenanceOf, scopeOf } from '#engine/context/scope-of.ts';
import { type Policy, verdictOf } from '#engine/permissions/policy.ts';
import { createAskWhichHolds } from '#engine/tools/ask-which-holds.ts';
import type { HandoffProposal } from '#engine/wire/memory/handoff.ts';
import type { Reader, ReaderCall, ReaderResult, ReaderService } from '#engine/wire/memory/reader.ts';
import { type ReaderOperation, readerOperations } from '#engine/wire/memory/reader-operations.ts';
import { readerToolName as toolOf } from '#engine/wire/runs/tool-names.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Journal, JournalCaller } from '#memory/types/journal.ts';
import type { Audience, Sharing } from '#memory/types/scope.ts';
import { createReaderBundle } from './reader-bundle.ts';
import { createReaderMemory, type FeedbackOf, isMemoryOperation } from './reader-memory.ts';

/** Over the memory of the engine; what this program knows to be secret is masked in every input. */
export function createReaderCalls(options: {
  memory: Memory;
  sharing: () => Sharing;
  agents: Pick<Agents, 'at'>;
  secrets: Secrets;
  clock: Clock;
  /** Which tools are allowed: of `ask` there is nobody to ask. */
  policy: Policy;
  feedback: FeedbackOf;
  /** What a conversation hands over, as a model reads it. */
  propose: (input: unknown) => Promise<HandoffProposal>;
}): ReaderService {
  const { memory, sharing, agents, secrets, policy, propose } = options;
  const may =
    (operation: ReaderOperation) =>
    ({ platform }: JournalCaller): boolean =>
      verdictOf(policy, toolOf(operation), { platform, otherwise: 'allow' }) === 'allow';
  const askWhichHolds = createAskWhichHolds(memory, may('noteElement'));
  const ofMemory = createReaderMemory({ ...options, askWhichHolds });
  const bundleOf = createReaderBundle(memory, may);
  /** What is read of others is in the audit, as what a search finds is. */
  const noted = async <T>(caller: JournalCaller, operation: ReaderOperation, result: T): Promise<T> => {
    const own = new Set<string>([caller.where.audience, ...(caller.own ?? [])]);
    const { notes } = readerOperations[operation] as { notes?: 'each entry' };
    const shown = notes === 'each entry' ? [] : othersIn(result, own);
    if (shown.length > 0)
      await memory.noteRead({ by: caller.by, how: `${caller.platform} ${toolOf(operation)}`, shown });
    return result;
  };
  return {
    async forReader<Name extends ReaderOperation>(operation: Name, { reader, projectID, input }: ReaderCall) {
      const caller = { ...callerOf(reader, sharing(), agents), projectID };
      refuseDenied(policy, operation, reader.platform);
      // what is chosen supersedes a memory, as a correction does
      if (operation === 'updateElement' && input.holds !== undefined)
        refuseDenied(policy, 'memoryUpdate', reader.platform);
      const clean = secrets.maskAll(input);
      if (operation === 'proposeHandoff') return (await propose(clean)) as ReaderResult<Name>;
      // both tables have the result of each operation under its name
      if (isMemoryOperation(operation))
        return noted(caller, operation, (await ofMemory[operation](caller, clean)) as ReaderResult<Name>);
      if (operation === 'bundle')
        return noted(caller, operation, (await bundleOf(caller, clean)) as ReaderResult<Name>);
      const call = (memory.journal as Partial<Journal>)[operation as keyof Journal];
      if (call === undefined)
        throw new ParleyError(
          'invalid_memory_call',
          `Expected an operation of the journal, received "${operation}".`,
        );
      return noted(caller, operation, (await call(caller, clean)) as ReaderResult<Name>);
    },
  };
}

/** What the reader may read, and where it writes: in private also what belongs to the same person's linked accounts is its own. */
function callerOf(reader: Reader, sharing: Sharing, agents: Pick<Agents, 'at'>): JournalCaller {
  const partition = partitionNamed(agents, reader.agent);
  const scope = { ...scopeOf(reader, sharing), partition };
  const own = reader.kind === 'dm' ? scope.audiences.filter(isPerson) : [];
  return {
    scope,
    where: { ...provenanceOf(reader), partition },
    own,
    platform: reader.platform,
    chat: reader.chat,
    by: { name: reader.speaker.person },
    shownAs: reader.speaker.name,
  };
}

function isPerson(audience: Audience): boolean {
  return audience.startsWith('person:');
}

/** The entries of a result that belong to someone else. */
function othersIn(value: unknown, own: ReadonlySet<string>): { id: string; audience: Audience }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((each) => othersIn(each, own));
  const { id, audience } = value as { id?: unknown; audience?: unknown };
  return typeof id === 'string' && typeof audience === 'string' && !own.has(audience)
    ? [{ id, audience: audience as Audience }, ...inside] // the audience of an entry of memory
    : inside;
}

/** Throws a ParleyError `tool_denied` where the policy lets nobody use the tool without asking; who may delete nothing forgets nothing. */
function refuseDenied(policy: Policy, operation: ReaderOperation, platform: string): void {
  const removes = readerOperations[operation].effect === 'removes';
  for (const tool of [toolOf(operation), ...(removes ? ['memory_delete'] : [])]) {
    const verdict = verdictOf(policy, tool, { platform, otherwise: 'allow' });
    if (verdict === 'allow') continue;
    throw new ParleyError(
      'tool_denied',
      verdict === 'deny'
        ? `The policy of this Parley denies ${tool}.`
        : `The policy of this Parley asks before ${tool}, and here is nobody to ask.`,
      { hint: 'Its operator changes that with `tools.policy`. Nothing was written.' },
    );
  }
}
