// What the answer of a run is made with, and what it reports. Shapes only.
import type { Parent } from '#base/tracing.ts';
import type { ActiveMemory } from '#engine/active/active-memory.ts';
import type { Agent } from '#engine/context/agents.ts';
import type { Context, ContextBuilder } from '#engine/context/build.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { CallContext } from '#engine/providers/call-model.ts';
import type { CallUsage } from '#engine/providers/calls/price.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { Tools } from '#engine/tools/definition/registry.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import type { StoredPrompt } from '#engine/wire/runs/run-prompt.ts';
import type { GivenPassage } from '#memory/types/dreaming.ts';
import type { RunInstance } from './instance.ts';
import type { PartWriter } from './part-writer.ts';
import type { ResponseCache } from './response-cache.ts';
import type { SpeakAnswer } from './spoken-answer.ts';
import type { StoredRun } from './tables/run-row.ts';

export interface AnswerParts {
  sessions: Sessions;
  context: ContextBuilder;
  tools: Tools;
  /** Resolves once each MCP server was connected to, or found out of reach. */
  toolsReady: Promise<void>;
  permissions: Pick<Permissions, 'verdict' | 'authorize'>;
  requests: Pick<Requests, 'ask'>;
  calls: CallContext;
  responseCache: Pick<ResponseCache, 'of' | 'save'>;
  activeMemory: Pick<ActiveMemory, 'lookFor'>;
  speakAnswer: SpeakAnswer;
}

export interface AnswerTask {
  run: StoredRun;
  provider: Provider;
  agent: Agent;
  /** Set for the run of an instance of a mission. */
  instance: RunInstance | undefined;
  /** Notes on what others said around the prompt. */
  roomContext: readonly string[];
  /** What earlier lives of the run have done: the beginning of the answer. Empty for a run that resumes none. */
  resumed: readonly Part[];
  /** The project of the session. */
  projectID: string | undefined;
  /** True when the exchange will be archived. */
  remembers: boolean;
  writer: PartWriter;
  signal: AbortSignal;
  /** The run's own, which its calls' events carry. */
  span: Parent;
  /** Waits for a person: time that the run is not charged for. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Receives every passage of memory that the model is shown, and of the runs whose answers it sees. */
  shown(passages: readonly string[], runIDs: readonly string[]): void;
  /** Receives how many messages the prompt neither has nor summarizes, and how full the history is; see `Context`. */
  sent(conversation: Pick<Context, 'leftOut' | 'fullness' | 'bounds'>): void;
  /** Told how many of the passages that it is shown first are memory files. */
  injected(files: number): void;
  /** Receives what was found in memory for the run. */
  found(passages: readonly GivenPassage[]): void;
  /** Receives what each call of the model used. */
  used(usage: CallUsage): void;
  /** Told what the person has to know about the answer. */
  noticed(notice: RunNotice): void;
  /** Told before tools are called. */
  calling(): void;
  /** Told when another provider has taken over. */
  tookOver(provider: Provider): void;
  /** Something happened. */
  touch(): void;
  /** Called with what the prompt is made of, before it is sent. */
  prompted(made: StoredPrompt): void;
}
