// One call of a provider's transcription model through the AI SDK.
import { createOpenAI } from '@ai-sdk/openai';
import { transcribe } from 'ai';
import { fetchWithin } from '#engine/providers/calls/answer-size.ts';
import type { ProviderEndpoint } from '#engine/providers/calls/settings.ts';
import { classifyError } from './classify-error.ts';

/** Bytes of an answer: the words of hours of speech, each with its time. */
const maxBytes = 8 * 2 ** 20;

/** Gives the words of an audio file; rejects with a `ProviderFailure`. Nothing is retried here. */
type Transcribe = (audio: Uint8Array, signal: AbortSignal) => Promise<string>;

/** Calls that model of OpenAI, or of a server that speaks its API. */
export function createTranscribe({ modelID, baseUrl: baseURL, apiKey }: ProviderEndpoint): Transcribe {
  // The library prints what it finds odd about a model to the console unless a global option stops it.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // a server without keys takes any
  const openai = createOpenAI({ baseURL, apiKey: apiKey || 'none', fetch: fetchWithin(maxBytes) });
  const model = openai.transcription(modelID);
  return async (audio, abortSignal) => {
    try {
      const { text } = await transcribe({ model, audio, maxRetries: 0, abortSignal });
      return text;
    } catch (error) {
      abortSignal.throwIfAborted();
      if (isSilence(error)) return '';
      throw classifyError(error);
    }
  };
}

/** The SDK takes an empty transcript for an error. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_NoTranscriptGeneratedError';
}
