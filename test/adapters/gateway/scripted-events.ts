// The events of an engine whose answers a test scripts: who follows a session hears them.
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';

export interface ScriptedEvents extends Pick<Engine, 'events'> {
  announce(event: Pick<EngineEvent, 'type' | 'properties'>, sessionID: string): void;
  notify(run: Run, piece: { delta: string; offset: number }): void;
}

export function createScriptedEvents(): ScriptedEvents {
  const listeners = new Set<(event: EngineEvent) => void>();
  const announce = (event: Pick<EngineEvent, 'type' | 'properties'>, sessionID: string): void => {
    const envelope = { event_id: 'evt', seq: 1, schema_version: 1, occurred_at_ms: 0 };
    const whole = { ...event, envelope: { ...envelope, session_id: sessionID, run_id: null } };
    for (const listener of [...listeners]) listener(whole as EngineEvent); // type and properties belong together
  };
  const notify = ({ runID, sessionID }: Run, piece: { delta: string; offset: number }): void => {
    const part = { id: 'prt_1', sessionID, messageID: 'msg_2', type: 'text' as const };
    const envelope = {
      event_id: 'evt',
      seq: null,
      schema_version: 1 as const,
      occurred_at_ms: 0,
      session_id: sessionID,
      run_id: runID,
    };
    for (const listener of [...listeners])
      listener({ type: 'message.part.updated', properties: { sessionID, runID, part, ...piece }, envelope });
  };

  return {
    announce,
    notify,
    async *events(filter, signal) {
      const queue: EngineEvent[] = [];
      let wake: () => void = () => {};
      const listener = (event: EngineEvent): void => {
        queue.push(event);
        wake();
      };
      listeners.add(listener);
      signal.addEventListener('abort', () => wake(), { once: true });
      try {
        while (!signal.aborted) {
          const event = queue.shift();
          if (event === undefined) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          } else if (event.envelope.session_id === filter.sessionID) yield event;
        }
      } finally {
        listeners.delete(listener);
      }
    },
  };
}
