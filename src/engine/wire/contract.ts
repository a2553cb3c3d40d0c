// The engine as channels need it: its promises, kept in this process (engine.ts) or over HTTP (remote/remote-engine.ts). Adapters know only this.
import type { Audience } from '#memory/types/scope.ts';
import type { EngineCommands } from './commands.ts';
import type { EngineEvent } from './events/event.ts';
import type { GatewayMemoryService } from './memory/memory-operations.ts';
import type { RunService } from './run-operations.ts';
import type { Artifact } from './runs/artifact.ts';
import type { PromptBody, PromptOutcome } from './runs/prompt.ts';
import type { ProviderService } from './runs/provider-operations.ts';
import type { RequestService } from './runs/request-operations.ts';
import type { Run } from './runs/run.ts';
import type { ScheduleService } from './schedules/schedule-operations.ts';
import type { PlaceService } from './sessions/content-operations.ts';
import type { SessionService } from './sessions/session-operations.ts';

export type { Run } from './runs/run.ts';

/** A file that came with a message, where it was stored on arrival. */
interface UploadedFile {
  /** `<channel>/<chat or person>/<name>`, inside the uploads folder. */
  path: string;
  /** Absolute path on this machine. */
  file: string;
}

/**
 * Every call may be repeated: what was begun, stored or noted once is not begun, stored or noted again. An engine in another
 * process is waited for while it cannot be reached, as long as the signal lets it; one in this process needs no signal.
 */
export interface Engine
  extends EngineCommands,
    GatewayMemoryService,
    Pick<PlaceService, 'setPlaceNames'>,
    Pick<ProviderService, 'takesFile' | 'transcribe'>,
    Pick<
      RequestService,
      'permissions' | 'replyPermission' | 'questions' | 'replyQuestion' | 'rejectQuestion'
    >,
    Pick<RunService, 'getRun' | 'delivered' | 'amend' | 'noteFeedback' | 'deleteAnswer'>,
    Pick<SessionService, 'createSession'>,
    ScheduleService {
  /** Whether there is such a session, at no more cost than that. */
  hasSession(sessionID: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * Appends the user message and starts a run; commits before it returns. The same `idempotencyKey` gives the same run (a ParleyError
   * `idempotency_key_reused` for a body without an origin that is another one: only a gateway's own may differ),
   * except that an `interrupted` run is resumed by another one under its key when `retryInterrupted` is set: the user message is not
   * doubled, and no tool whose result is stored runs again.
   */
  prompt(
    sessionID: string,
    body: PromptBody,
    options?: {
      idempotencyKey?: string | undefined;
      retryInterrupted?: boolean | undefined;
      signal?: AbortSignal | undefined;
    },
  ): Promise<PromptOutcome>;
  /** The URL by which prompts name the file, once the engine has it; undefined when it does not take it (too large for it), or does not get it in time. */
  keepUpload(file: UploadedFile, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Absolute path of the artifact's file on this machine; nothing may be there any more. It stays until the run is delivered. A
   * ParleyError `file_not_brought` when it does not come from another machine in time.
   */
  artifactFile(artifact: Artifact, signal?: AbortSignal): Promise<string>;
  /**
   * Resolves with the run once it has ended and is committed. Of a run whose process died under it: with the end of the run that goes on
   * with it, or with itself, `interrupted`, where nothing does yet.
   */
  finished(runID: string, signal?: AbortSignal): Promise<Run>;
  /** True when a run of the session was active and has now stopped; its status is `cancelled`. */
  cancel(sessionID: string, signal?: AbortSignal): Promise<boolean>;
  /** The same for this run and no other. */
  cancelRun(runID: string, signal?: AbortSignal): Promise<boolean>;
  /** Deletes a memory whose message was deleted; nothing happens where it no longer exists. */
  forgetNote(note: { memoryID: string; audience: Audience }, signal?: AbortSignal): Promise<void>;
  /**
   * Live and durable events from the call on, in order; ends when the signal aborts. Filters never let another session's events
   * through. A reader that falls too far behind is given what was queued for it and then a ParleyError `subscriber_overflow`.
   * Pieces of text may be missing where the connection to another process was lost; the ended part that holds them is not.
   */
  events(
    filter: { sessionID?: string | undefined; runID?: string | undefined },
    signal: AbortSignal,
  ): AsyncIterable<EngineEvent>;
  health(): Promise<{ ready: boolean; version: string; model: string; activeRuns: number }>;
  close(): Promise<void>;
}
