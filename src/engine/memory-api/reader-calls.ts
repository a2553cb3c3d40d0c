// The journal and memory for a reader who is no run: the scope is made here, of who reads and from where.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import { provenanceOf, scopeOf } from '#engine/context/scope-of.ts';
import type { HandoffProposal } from '#engine/wire/memory/handoff.ts';
import type {
  Reader,
  ReaderCall,
  ReaderOperation,
  ReaderResult,
  ReaderService,
} from '#engine/wire/memory/reader.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Journal, JournalCaller } from '#memory/types/journal.ts';
import type { Audience, Sharing } from '#memory/types/scope.ts';
import { createReaderMemory, isMemoryOperation } from './reader-memory.ts';

/** Over the memory of the engine; what this program knows to be secret is masked in every input. */
export function createReaderCalls(options: {
  memory: Memory;
  sharing: () => Sharing;
  secrets: Secrets;
  clock: Clock;
  /** What a conversation hands over, as a model reads it. */
  propose: (input: unknown) => Promise<HandoffProposal>;
}): ReaderService {
  const { memory, sharing, secrets, propose } = options;
  const ofMemory = createReaderMemory(options);
  return {
    async forReader<Name extends ReaderOperation>(operation: Name, { reader, projectID, input }: ReaderCall) {
      const caller = { ...callerOf(reader, sharing()), projectID };
      const clean = secrets.maskAll(input);
      if (operation === 'proposeHandoff') return (await propose(clean)) as ReaderResult<Name>;
      // both tables have the result of each operation under its name
      if (isMemoryOperation(operation))
        return (await ofMemory[operation](caller, clean)) as ReaderResult<Name>;
      const call = (memory.journal as Partial<Journal>)[operation as keyof Journal];
      if (call === undefined)
        throw new ParleyError(
          'invalid_memory_call',
          `Expected an operation of the journal, received "${operation}".`,
        );
      return (await call(caller, clean)) as ReaderResult<Name>;
    },
  };
}

/** What the reader may read, and where it writes: in private also what belongs to the same person's linked accounts is its own. */
function callerOf(reader: Reader, sharing: Sharing): JournalCaller {
  const scope = scopeOf(reader, sharing);
  const own = reader.kind === 'dm' ? scope.audiences.filter(isPerson) : [];
  return {
    scope,
    where: provenanceOf(reader),
    own,
    platform: reader.platform,
    by: { name: reader.speaker.person },
  };
}

function isPerson(audience: Audience): boolean {
  return audience.startsWith('person:');
}
