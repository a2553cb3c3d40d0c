// Memory in the typed client: its operations, and what a gateway tells the engine of rooms and readers.
import { memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import type { ReaderCall, ReaderOperation, ReaderResult } from '#engine/wire/memory/reader.ts';
import type { ForgottenTurns, RoomStates } from '#engine/wire/runs/amendment.ts';
import { type CallsOf, operationCalls } from './operation-calls.ts';
import type { RequestOptions, Verbs } from './request.ts';

/** `client.memory`; each call is inside the audience that it names, or the operator's own. */
export interface MemoryClient extends CallsOf<typeof memoryOperations> {
  /** Forgets imported messages that were changed or deleted on their platform. */
  forgetTurns(turns: ForgottenTurns, more?: RequestOptions): Promise<{ ok: true }>;
  /** Says which rooms are open to everyone of their space now, and which are not. */
  setRooms(rooms: RoomStates['rooms'], more?: RequestOptions): Promise<{ ok: true }>;
  /** One operation of the journal or of memory for a reader. */
  forReader<Name extends ReaderOperation>(operation: Name, call: ReaderCall): Promise<ReaderResult<Name>>;
}

export function memoryCalls({ post, json }: Verbs): MemoryClient {
  return {
    ...operationCalls(memoryOperations, { json }),
    forgetTurns: (turns, more = {}) => post('/memory/turns/forget', turns, more),
    setRooms: (rooms, more = {}) => json('/memory/rooms', { method: 'PUT', body: { rooms }, ...more }),
    forReader: (operation, { reader, projectID: project_id, input }) =>
      post('/memory/reader', { operation, reader, project_id, input }),
  };
}
