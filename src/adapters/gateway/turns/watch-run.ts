// What a chat is shown while a run works: its text, what its agents do, and what it asks; read from the session's events.

import type { ToolProgressDetail } from '#adapters/gateway/admission/channel-rules.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Preview } from '#adapters/gateway/preview/preview-types.ts';
import {
  isOver,
  type MissionProgress,
  missionChoices,
  progressAfter,
  progressText,
} from '#adapters/gateway/requests/mission-progress.ts';
import type { AskingTurn } from '#adapters/gateway/requests/request-messages.ts';
import { isAboutRequests } from '#adapters/gateway/requests/request-relay.ts';
import { errorMessage } from '#base/errors.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { withPiece } from '#engine/wire/runs/text-deltas.ts';
import { createToolProgress } from './tool-progress.ts';
import type { TurnDeps } from './turn-deps.ts';
import type { WorkingSign } from './typing-indicator.ts';

/**
 * Feeds the preview from the session's events, and shows what the run asks; events that come before the run is known are
 * held for it.
 */
export function watchRun(
  sessionID: string,
  turn: AskingTurn,
  deps: Pick<TurnDeps, 'engine' | 'asks' | 'clock' | 'log' | 'signal'> & {
    preview: Preview;
    phrases: Phrases;
    sign: WorkingSign;
    waiting: (asks: boolean) => void;
    /** What is shown of tools while they run. */
    toolProgress: ToolProgressDetail;
  },
) {
  const { asks, sign, signal } = deps;
  const early: EngineEvent[] = [];
  const texts = new Map<string, string>();
  let runID: string | undefined;
  let isShown = false;
  const missions = new Map<string, MissionProgress>();
  /** Runs whose agents have ended, and whose answer has begun since. */
  const hidden = new Set<string>();
  /** What the agents and the tools of the run do; nothing once all of them have ended and the answer has begun. */
  const showWork = (run: string): void => {
    if (run !== runID) return;
    const { phrases } = deps;
    const progress = missions.get(run);
    const mission = progress === undefined || hidden.has(run) ? '' : progressText(progress, phrases);
    const markdown = [mission, tools.text(run)].filter((each) => each !== '').join('\n\n');
    const choices =
      mission === '' || progress === undefined ? [] : missionChoices(progress.missionID, phrases);
    deps.preview.showProgress(markdown === '' ? undefined : { markdown, choices });
  };
  const tools = createToolProgress({
    ...{ clock: deps.clock, phrases: deps.phrases, detail: deps.toolProgress, signal },
    changed: showWork,
  });
  const noteMission = (event: EngineEvent): void => {
    const run = event.type.startsWith('agent_team.') ? event.envelope.run_id : null;
    if (run === null) return;
    const progress = progressAfter(missions.get(run), event);
    if (progress === undefined || progress === missions.get(run)) return;
    missions.set(run, progress);
    hidden.delete(run);
    showWork(run);
  };
  const hideMission = (run: string): void => {
    const progress = missions.get(run);
    if (run !== runID || progress === undefined || hidden.has(run) || !isOver(progress)) return;
    hidden.add(run);
    showWork(run);
  };
  const show = (): void => {
    const prefix = `${runID} `;
    const parts = [...texts].filter(([key]) => key.startsWith(prefix)).map(([, text]) => text);
    // what was shown may be taken back before anything else is there
    if (parts.length > 0 || isShown) deps.preview.show(parts.join('\n\n'));
    isShown ||= parts.length > 0;
  };
  const hear = async (run: string, event: EngineEvent): Promise<void> => {
    const waits = await asks.onEvent(turn, run, event);
    if (waits === undefined) return;
    deps.waiting(waits);
    deps.preview.rest(waits);
    if (waits) sign.rest();
    else sign.resume();
  };
  const read = async (): Promise<void> => {
    for await (const event of deps.engine.events({ sessionID }, signal)) {
      if (event.type !== 'message.part.updated') {
        noteMission(event);
        if (runID !== undefined) await hear(runID, event);
        else if (isAboutRequests(event)) early.push(event);
        continue;
      }
      const { part, delta, offset } = event.properties;
      const key = `${event.properties.runID} ${part.id}`;
      // a text may turn out to be what the model thought
      if (part.type === 'reasoning' && texts.delete(key)) show();
      if (part.type === 'tool') tools.note(event.properties.runID, part);
      if (part.type !== 'text') continue;
      const text =
        delta === undefined ? (part.text ?? '') : withPiece(texts.get(key) ?? '', { delta, offset });
      if (text === undefined) continue; // pieces before it were lost with a connection: what follows brings them
      texts.set(key, text);
      if (event.properties.runID !== runID) continue;
      hideMission(runID);
      show();
    }
  };
  const lost = (error: unknown): void => {
    if (isAbort(error, signal)) return;
    deps.log.warn({ sessionID, words: errorMessage(error) }, 'preview lost its events'); // the final text does not depend on them
  };
  const begun: Promise<void>[] = [read().catch(lost)];
  const settled = async (): Promise<void> => {
    for (const event of early.splice(0)) if (runID !== undefined) await hear(runID, event);
  };
  return {
    done: async () => void (await Promise.all(begun)),
    /** A run that an earlier process began may wait for an answer since then, and says so to nobody now. */
    follow(id: string, how: 'started' | 'replayed') {
      runID = id;
      show();
      if (missions.has(id) || tools.text(id) !== '') showWork(id);
      begun.push(settled().catch(lost));
      if (how === 'replayed') begun.push(asks.pending(turn, id).catch(lost));
    },
  };
}
