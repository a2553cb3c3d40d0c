// The durable events of a run from its first, page by page.
import type { ParleyClient } from '#engine/client/client.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';

const pageSize = 1000;

/** All events of a run, in order, until it ends. */
export async function* runEvents(client: ParleyClient, runID: string): AsyncGenerator<EngineEvent> {
  for (let after = 0; ; ) {
    const page = await client.runs.events(runID, { after_seq: after, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.envelope.seq ?? Number.MAX_SAFE_INTEGER;
  }
}
