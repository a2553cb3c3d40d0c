// The client's calls about runs: which there are, what happened in them, what is reported to them.

import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { Amendment } from '#engine/wire/runs/amendment.ts';
import type { RunFeedback } from '#engine/wire/runs/feedback.ts';
import type { RunReplay } from '#engine/wire/runs/replay.ts';
import type { Run } from '#engine/wire/runs/run.ts';
import type { Query, Verbs, Within } from './request.ts';

/** `runs` of the client. */
export function runCalls({ get, post, json }: Verbs) {
  const at = (runID: string, rest = ''): string => `/runs/${encodeURIComponent(runID)}${rest}`;
  return {
    list: (query: Query = {}) => get<Run[]>('/runs', query),
    get: (runID: string, within: Within = {}) => get<Run>(at(runID), {}, within),
    /** Tells the engine that the answer is in its chat: then the exchange of a channel session is remembered, once. */
    delivered: (
      runID: string,
      what: { deliveredAtMs: number; nativeIDs: readonly string[] },
      within: Within = {},
    ) => post<{ ok: true }>(at(runID, '/delivered'), what, within),
    /** Reports what became of a message that the run answers: it was changed, or deleted. */
    amend: (runID: string, amendment: Amendment, within: Within = {}) =>
      post<{ ok: true }>(at(runID, '/amend'), amendment, within),
    /** Notes what a person thinks of the answer, or that they take it back. */
    noteFeedback: (runID: string, feedback: RunFeedback, within: Within = {}) =>
      post<{ ok: true }>(at(runID, '/feedback'), feedback, within),
    /** Deletes the answer from its conversation and from memory. */
    deleteAnswer: (runID: string, within: Within = {}) =>
      json<{ ok: true }>(at(runID, '/answer'), { method: 'DELETE', ...within }),
    events: (runID: string, query: { after_seq?: number; limit?: number } = {}) =>
      get<EngineEvent[]>(at(runID, '/events'), query),
    /** The run rebuilt from its files, and whether that equals what was stored about it. */
    replay: (runID: string, query: { upto_seq?: number | undefined; from_checkpoint?: boolean } = {}) =>
      get<RunReplay>(`/context/runs/${encodeURIComponent(runID)}/replay`, query),
  };
}
