// What an engine is opened with.
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { MaskText } from '#base/masked-value.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Tracing } from '#base/tracing.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { ReadUpload } from './context/attachments.ts';
import type { FeedbackWebhook } from './conversations/feedback-calls.ts';
import type { EngineSettings } from './live-settings.ts';
import type { MemorySettings } from './memory-parts.ts';
import type { ModelClient } from './providers/calls/model-call.ts';
import type { TranscriptionSettings } from './providers/transcription.ts';
import type { McpServer } from './tools/mcp/servers.ts';
import type { CreateSession } from './wire/sessions/session-operations.ts';

export interface EngineOptions extends EngineSettings {
  /** The engine's own database, `engine.sqlite`. */
  path: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  memory: Memory;
  memorySettings?: MemorySettings | undefined;
  /** False where no model answers: what an earlier process left of runs and missions waits for the next engine. */
  resumes?: boolean | undefined;
  /** What a session that a channel begins has where it names none of its own. */
  channelSessions?: Pick<CreateSession, 'projectID' | 'workspaceRoot'> | undefined;
  mcp?: Readonly<Record<string, McpServer>> | undefined;
  /** The folder under which the files of runs are stored; the folder of the database when absent. */
  home?: string | undefined;
  /** What `health` reports. */
  version?: string | undefined;
  /** Reads a file of the uploads folder by its path there; without it such files are only mentioned to the model. */
  readUpload?: ReadUpload | undefined;
  /** The model that writes speech in audio files down; without it `transcribe` answers `off`. */
  transcription?: TranscriptionSettings | undefined;
  /** Who is told what people think of answers; nobody when absent. */
  feedbackWebhook?: FeedbackWebhook | undefined;
  /** What must not get into a run, no matter who writes it: a person, a model, a tool; none when absent. */
  secrets?: Secrets | undefined;
  /** Masks secrets that people say in what is stored about a run, once it is delivered; nothing is masked when absent. */
  mask?: MaskText | undefined;
  /** Who measures the way of a run; nobody when absent. */
  tracing?: Tracing | undefined;
  /** Who asks the models of providers; this thread when absent. They are the caller's to close, after the engine. */
  models?: Pick<ModelClient, 'ask'> | undefined;
  /** Where a disk that refuses is noted; its own board by default. */
  problems?: ActiveProblems | undefined;
}
