// The configured model as memory asks it, for dreams and summaries.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { askForText, type CallContext } from '#engine/providers/call-model.ts';
import { failureOf } from '#engine/providers/calls/failure.ts';
import { ProviderFailure } from '#engine/providers/calls/provider-failure.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { AskDreamModel } from '#memory/types/dreaming.ts';

/** One call of the model takes so long at most, in milliseconds. */
const longestMs = 120_000;

/** Asks the provider of now; undefined where there is no model. */
export function memoryModel({
  provider,
  calls,
  clock,
}: {
  provider(): Provider;
  calls: CallContext;
  clock: Clock;
}): AskDreamModel | undefined {
  const asked = provider();
  if (asked.providerID === 'offline') return undefined;
  return ({ system, prompt, maxTokens, signal }) =>
    withTimeout({ clock, ms: longestMs, what: 'A call for memory', signal }, async (within) => {
      const question = { provider: asked, system, prompt, sampling: { maxTokens }, signal: within };
      const { text, usage } = await askForText(question, calls).catch((cause: unknown) => {
        if (!(cause instanceof ProviderFailure)) throw cause;
        // a report of a dream has these words, and a provider quotes what it was asked and what it answered
        const { code, sentence } = failureOf(cause);
        throw new ParleyError(code, sentence.replace(/\.$/, ''), { cause });
      });
      const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
      // a provider that counts nothing still used something
      const estimate = Math.ceil((system.length + prompt.length + text.length) / 3);
      return { text, tokens: tokens > 0 ? tokens : estimate };
    });
}
