// Speech as text by the configured transcription model: bounded in size and time, and tried again where that may help.

import type { Clock } from '#base/clock.ts';
import { lazy } from '#base/lazy.ts';
import type { Log } from '#base/log/log.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { detailsOf, failureOf } from '#engine/providers/calls/failure.ts';
import { providerReach } from '#engine/providers/calls/settings.ts';
import type { ProviderService } from '#engine/wire/runs/provider-operations.ts';
import type { Transcription } from '#engine/wire/runs/transcription.ts';
import { uploadPath } from '#engine/wire/runs/upload-url.ts';
import { retryDelay } from './retry.ts';

const transcriptionProviders = ['openai', 'openai-compatible'] as const;

export interface TranscriptionSettings {
  provider: (typeof transcriptionProviders)[number];
  /** The provider's name of the model. */
  model: string;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  maxBytes: number;
  maxSeconds: number;
  /** Of one attempt, in milliseconds. */
  timeoutMs: number;
}

/** Transcribes an upload; what goes wrong is an outcome, only the signal's reason is thrown. */
type TranscribeUpload = ProviderService['transcribe'];

/**
 * A transcriber with these settings, `off` without them. Settings that lack something throw a ParleyError `model_settings` at once.
 * `readUpload` gives the bytes of a file of the uploads folder, or undefined for one that does not exist or is larger than `maxBytes`.
 */
export function createTranscriber(
  settings: TranscriptionSettings | undefined,
  parts: {
    readUpload: ((path: string, maxBytes: number) => Promise<Uint8Array | undefined>) | undefined;
    clock: Clock;
    log: Log;
  },
): TranscribeUpload {
  if (settings === undefined) return async () => ({ status: 'off' });
  const { readUpload, clock, log } = parts;
  const { provider, maxBytes, maxSeconds, timeoutMs } = settings;
  const reach = providerReach(settings, provider);
  // a program that hears no voice message does without the library
  const ask = lazy(async () => (await import('./sdk/transcribe.ts')).createTranscribe(reach));
  const tooLong: Transcription = { status: 'too_long', limit: { seconds: maxSeconds, bytes: maxBytes } };
  return async ({ url, seconds = 0 }, { signal = new AbortController().signal } = {}) => {
    if (seconds > maxSeconds) return tooLong;
    const path = uploadPath(url);
    const audio = path === undefined ? undefined : await readUpload?.(path, maxBytes);
    if (audio === undefined) return tooLong;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const call = await ask();
        const limit = { clock, ms: timeoutMs, what: 'The transcription', signal };
        const text = await withTimeout(limit, (own) => call(audio, own));
        return { status: 'done', text: text.trim() };
      } catch (error) {
        signal.throwIfAborted();
        const wait = retryDelay(error, attempt, clock);
        log.warn({ attempt, waitMs: wait, error: detailsOf(error) }, 'a transcription failed');
        if (wait === undefined) return { status: 'failed', error: failureOf(error).sentence };
        await clock.sleep(wait, signal);
      }
    }
  };
}
