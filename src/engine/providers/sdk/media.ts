// One call of a provider's speech or image model through the AI SDK.
import { createOpenAI } from '@ai-sdk/openai';
import { generateImage, generateSpeech } from 'ai';
import type { Media, Picture } from '#engine/artifacts/media-calls.ts';
import { fetchWithin } from '#engine/providers/calls/answer-size.ts';
import type { ProviderEndpoint } from '#engine/providers/calls/settings.ts';
import { classifyError } from './classify-error.ts';

/** Bytes of an answer: a large picture in base64, or a quarter of an hour of speech. */
const maxBytes = 64 * 2 ** 20;

/** Speaks the text as Ogg Opus, which every platform plays; rejects with a `ProviderFailure`. */
export async function speakOnce(
  endpoint: ProviderEndpoint,
  { text, voice }: { text: string; voice: string | undefined },
  abortSignal: AbortSignal,
): Promise<Media> {
  const model = openAIOf(endpoint).speech(endpoint.modelID);
  const call = { model, text, outputFormat: 'opus', maxRetries: 0, abortSignal };
  const { audio } = await judged(abortSignal, () =>
    generateSpeech({ ...call, ...(voice !== undefined && { voice }) }),
  );
  return { bytes: audio.uint8Array, mediaType: 'audio/ogg' };
}

/** Draws one picture; rejects with a `ProviderFailure`. */
export async function drawOnce(
  endpoint: ProviderEndpoint,
  { prompt, size }: Picture,
  abortSignal: AbortSignal,
): Promise<Media> {
  const model = openAIOf(endpoint).image(endpoint.modelID);
  const { image } = await judged(abortSignal, () =>
    generateImage({ model, prompt, size, maxRetries: 0, abortSignal }),
  );
  return { bytes: image.uint8Array, mediaType: image.mediaType };
}

function openAIOf({ baseUrl: baseURL, apiKey }: ProviderEndpoint) {
  // The library prints what it finds odd about a model to the console unless a global option stops it.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // a server without keys takes any
  return createOpenAI({ baseURL, apiKey: apiKey || 'none', fetch: fetchWithin(maxBytes) });
}

async function judged<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw classifyError(error);
  }
}
