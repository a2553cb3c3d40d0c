// Memory in the typed client: its operations, and what a gateway tells the engine of rooms and readers.
import { gatewayMemoryOperations, memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import type { ReaderCall, ReaderResult } from '#engine/wire/memory/reader.ts';
import type { ReaderOperation } from '#engine/wire/memory/reader-operations.ts';
import { type CallsOf, operationCalls } from './operation-calls.ts';
import type { Verbs } from './request.ts';

/** `client.memory`; each call is inside the audience that it names, or the operator's own. */
export interface MemoryClient
  extends CallsOf<typeof memoryOperations>,
    CallsOf<typeof gatewayMemoryOperations> {
  /** One operation of the journal or of memory for a reader. */
  forReader<Name extends ReaderOperation>(operation: Name, call: ReaderCall): Promise<ReaderResult<Name>>;
}

export function memoryCalls({ post, json }: Verbs): MemoryClient {
  return {
    ...operationCalls({ ...memoryOperations, ...gatewayMemoryOperations }, { json }),
    forReader: (operation, { reader, projectID: project_id, input }) =>
      post('/memory/reader', { operation, reader, project_id, input }),
  };
}
