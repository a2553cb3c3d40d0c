// The types of the language model specification that the installed AI SDK takes, read from its own signature. Types only.
import type { LanguageModel } from 'ai';

export type ModelV4 = Extract<LanguageModel, { specificationVersion: 'v4' }>;
export type CallOptions = Parameters<ModelV4['doStream']>[0];
export type ModelPrompt = CallOptions['prompt'];
export type Generated = Awaited<ReturnType<ModelV4['doGenerate']>>;
export type StreamPart =
  Awaited<ReturnType<ModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
