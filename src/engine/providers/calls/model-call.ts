// What a language model is given and what it reports, as plain values that can go to another thread. Shapes only.
import type { ModelMessage } from 'ai';
import type { ReportedUsage } from './price.ts';
import type { ProviderEndpoint, ProviderName } from './settings.ts';

/** A tool as the model sees it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  schema: Record<string, unknown>;
  /** Characters that its arguments may have on top of those of the answer, as `maxChars` of the call counts them. */
  argumentChars?: number | undefined;
}

/** Everything that leads to one model of a provider. */
export interface ModelTarget extends ProviderEndpoint {
  provider: Exclude<ProviderName, 'offline'>;
  /** OpenAI only: which of its two APIs is spoken. */
  api: 'responses' | 'chat';
  /** How long the provider may take to accept a request. */
  connectMs: number;
}

/** What providers let a caller choose of how a model writes. */
export interface Sampling {
  temperature?: number | undefined;
  topP?: number | undefined;
  /** Of one call. */
  maxTokens?: number | undefined;
}

export interface ModelCallInput {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  /** `none` when the model has to answer now, `required` when it has to call a tool. */
  toolChoice: 'auto' | 'none' | 'required';
  /** How it chooses its words; as the provider does it when absent. */
  sampling?: Sampling | undefined;
  /** Characters that the model may write, arguments of tools included; beyond them the call fails with `OUTPUT_TOO_LONG`. */
  maxChars?: number | undefined;
  /**
   * True for a model that may begin with its thoughts without marking them: what it writes waits until that is known. `unknown`: only what
   * begins as thoughts do waits.
   */
  mayBeginThinking?: boolean | 'unknown' | undefined;
}

export type ModelStreamEvent =
  | { type: 'text' | 'reasoning'; delta: string }
  /** All text of this call so far was what the model thought: only now it said so. */
  | { type: 'was reasoning' }
  /** The model sent something that is not shown: it still responds. */
  | { type: 'alive' }
  | { type: 'tool call'; callID: string; tool: string; args: unknown }
  /** The answer is over: why, and the assistant's messages that continue the conversation. */
  | { type: 'end'; finish: string; usage: ReportedUsage | undefined; messages: ModelMessage[] };

/** Who asks language models of providers, in this thread or in another. */
export interface ModelClient {
  /**
   * What one call reports, ending with `end`. Throws the signal's reason once that aborts, a ParleyError, or a ProviderFailure for
   * whatever else ended it. Leaving the iteration ends the call.
   */
  ask(target: ModelTarget, asked: ModelCallInput, signal: AbortSignal): AsyncIterable<ModelStreamEvent>;
  /** Gets ready for the first call, so that this need not wait. */
  warm(): void;
  /** Ends what it is doing. */
  close(): Promise<void>;
}
