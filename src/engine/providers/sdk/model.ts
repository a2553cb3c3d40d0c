// A target as a language model of the AI SDK; of its packages only the one that is needed is loaded.
import type { LanguageModel } from 'ai';
import { cutBody } from '#base/body-limit.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { maxErrorBytes } from '#engine/providers/calls/answer-size.ts';
import type { ModelTarget } from '#engine/providers/calls/model-call.ts';
import { silentTooLong } from '#engine/providers/calls/silence.ts';
import { askUsage } from './ask-usage.ts';
import { endAfterFinish } from './end-after-finish.ts';
import { refuseErrors, repairAnswer } from './repair-answer.ts';

/** The model that calls reach by this target; `alive` is called whenever its server sends something. */
export async function languageModel(
  target: ModelTarget,
  { clock, alive }: { clock: Clock; alive: () => void },
): Promise<LanguageModel> {
  const { provider, modelID, baseUrl: baseURL, apiKey, api, connectMs } = target;
  const bounded = boundedFetch({ clock, connectMs, alive });
  const repair = api === 'chat' && provider.startsWith('openai') ? repairAnswer : refuseErrors;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await bounded(input, init);
    return response.ok ? await repair(response) : response;
  };
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const openai = createOpenAI({ baseURL, apiKey, fetch });
      return api === 'responses' ? openai.responses(modelID) : openai.chat(modelID);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch })(modelID);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, fetch })(modelID);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const compatible = createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        fetch: askUsage(fetch),
        // Unless it is asked, such a server reports no usage of a stream, and neither cost nor limits would count it.
        includeUsage: true,
        ...(apiKey === '' ? {} : { apiKey }),
      });
      return compatible.chatModel(modelID);
    }
  }
}

/** A fetch whose answer must begin within the limit; the body may take as long as the stream's own limits allow, and ends with the answer. */
function boundedFetch({
  clock,
  connectMs,
  alive,
}: {
  clock: Clock;
  connectMs: number;
  alive: () => void;
}): typeof globalThis.fetch {
  return async (input, init) => {
    // A limit that aborted the request later would tear the body, so the caller's signal goes to fetch unchanged.
    const outer = init?.signal ?? undefined;
    const connecting = new AbortController();
    const signal = outer === undefined ? connecting.signal : AbortSignal.any([outer, connecting.signal]);
    const what = 'The first answer of the model provider';
    const response = await withTimeout({ clock, ms: connectMs, what }, (limit) => {
      limit.addEventListener('abort', () => connecting.abort(limit.reason), { once: true });
      return globalThis.fetch(input, { ...init, signal });
    }).catch((error: unknown) => {
      throw codeOf(error) === 'timeout' ? silentTooLong({ awaited: 'accept', ms: connectMs }) : error;
    });
    return response.ok ? endAfterFinish(response, clock, alive) : cutBody(response, maxErrorBytes);
  };
}
