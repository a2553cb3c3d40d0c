// Speech and pictures by the configured models: bounded in time, tried again where that may help, and a sentence where it fails.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { Media, MediaCalls, Picture } from '#engine/artifacts/media-calls.ts';
import { failureOf } from '#engine/providers/calls/failure.ts';
import { providerReach } from '#engine/providers/calls/settings.ts';
import { retryDelay } from './retry.ts';

interface MediaModel {
  provider: 'openai' | 'openai-compatible';
  model: string;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
}

export interface MediaSettings {
  speech?: (MediaModel & { voice?: string | undefined }) | undefined;
  image?: MediaModel | undefined;
}

/** Of one attempt. */
const timeoutMs = 180_000;
const sdk = lazy(() => import('./sdk/media.ts'));

/** Calls of the models that are configured. Each throws a ParleyError `media_failed` with a sentence that says why there is nothing. */
export function mediaCalls({ speech, image }: MediaSettings, clock: Clock): MediaCalls {
  return {
    ...(speech !== undefined && {
      speak: (text: string, signal: AbortSignal) => {
        const { voice, ...model } = speech;
        const endpoint = providerReach(model, model.provider);
        return attempted({ clock, signal }, async (own) =>
          (await sdk()).speakOnce(endpoint, { text, voice }, own),
        );
      },
    }),
    ...(image !== undefined && {
      draw: (picture: Picture, signal: AbortSignal) => {
        const endpoint = providerReach(image, image.provider);
        return attempted({ clock, signal }, async (own) => (await sdk()).drawOnce(endpoint, picture, own));
      },
    }),
  };
}

async function attempted(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Media>,
): Promise<Media> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout({ clock, ms: timeoutMs, what: 'The model', signal }, work);
    } catch (error) {
      signal.throwIfAborted();
      const wait = retryDelay(error, attempt, clock);
      if (wait === undefined)
        throw new ParleyError('media_failed', failureOf(error).sentence, { cause: error });
      await clock.sleep(wait, signal);
    }
  }
}
