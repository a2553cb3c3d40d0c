// A run that is watched for a chat, its events given by the test. Not a test.
import type { TestContext } from 'node:test';
import type { ToolProgressDetail } from '#adapters/gateway/admission/channel-rules.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { watchRun } from '#adapters/gateway/turns/watch-run.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';

export const phrases = phrasesFor('en');

export const eventOf = (type: string, properties: object, runID: string | null = null): EngineEvent =>
  ({ type, properties, envelope: { run_id: runID } }) as never; // the fields that are read
export const said = (runID: string, id: string, piece: object, type = 'text') =>
  eventOf('message.part.updated', { runID, part: { id, type, ...('text' in piece ? piece : {}) }, ...piece });
export const agent = (what: string, instanceID: string, more: object = {}, runID = 'run_1') =>
  eventOf(
    `agent_team.${what}`,
    {
      missionID: 'mis_1',
      instanceID,
      display_name: instanceID,
      task: `task of ${instanceID}`,
      status: 'running',
      ...more,
    },
    runID,
  );

/** A watched run; `emit` gives its session an event. */
export function stage(
  t: TestContext,
  pending: (runID: string) => Promise<void> = async () => {},
  toolProgress: ToolProgressDetail = 'short',
) {
  const clock = createManualClock();
  const queue: EngineEvent[] = [];
  let wake = (): void => {};
  let failure: Error | undefined;
  const stop = new AbortController();
  async function* events(_: unknown, signal?: AbortSignal): AsyncGenerator<EngineEvent> {
    for (;;) {
      signal?.throwIfAborted();
      if (failure !== undefined) throw failure;
      const next = queue.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal?.addEventListener('abort', () => resolve());
        });
    }
  }
  const shown: string[] = [];
  const did: string[] = [];
  const { log, lines } = quietLog();
  const watching = watchRun('ses_1', { id: 'trn_1', person: 'per_1' } as never, {
    engine: { events } as never, // all that is called of it
    asks: {
      async onEvent(_: unknown, runID: string, { type, properties }: EngineEvent) {
        did.push(`${runID} ${type}`);
        return (properties as { waits?: boolean }).waits;
      },
      async pending(_: unknown, runID: string) {
        did.push(`pending ${runID}`);
        await pending(runID);
      },
    } as never,
    preview: {
      show: (text: string) => shown.push(text),
      showProgress: (progress?: { markdown: string }) =>
        shown.push(progress === undefined ? 'no agents' : `agents: ${progress.markdown}`),
      rest: (waits: boolean) => did.push(`preview rests ${waits}`),
    } as never,
    sign: { rest: () => did.push('sign rests'), resume: () => did.push('sign resumes') } as never,
    waiting: (asks) => did.push(`waiting ${asks}`),
    ...{ phrases, log, signal: stop.signal, clock, toolProgress },
  });
  t.after(async () => {
    stop.abort();
    wake();
    await watching.done();
  });
  const emit = async (...all: EngineEvent[]): Promise<void> => {
    queue.push(...all);
    wake();
    await settle();
  };
  const fail = async (error: Error): Promise<void> => {
    failure = error;
    wake();
    await settle();
  };
  return { watching, emit, fail, stop, shown, did, lines, clock };
}
