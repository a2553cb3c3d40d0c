// Which memories a look volunteers: chosen by the model or the ranking, remembered for a while, and given as memory has them now.
import { hash } from 'node:crypto';
import { createActiveProblems } from '#base/active-problems.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type MonotonicMs, msSince } from '#base/clock.ts';
import type { Parent } from '#base/tracing.ts';
import type { Agent } from '#engine/context/agents.ts';
import type { Looked, LookRequest } from '#engine/context/look-ahead.ts';
import type { CallContext } from '#engine/providers/call-model.ts';
import type { CallUsage } from '#engine/providers/calls/price.ts';
import type { Provider, Providers } from '#engine/providers/provider.ts';
import type { Hit } from '#memory/types/recall.ts';
import { chooseByModel, chooseByRanking, type LookChoice, type LookMemory, lookMaterial } from './choose.ts';

export interface ChoiceSettings {
  /** The model that chooses; the ranking does when absent. */
  modelID?: string | undefined;
  /** Memories, and characters of them, that are given at most. */
  memories: number;
  characters: number;
  /** How much of a message must be met where the ranking chooses, 0 to 1. */
  threshold: number;
  /** How long the model is not asked again about the same, in milliseconds. */
  cacheMs: number;
}

/** For which a choice is made. */
export interface ChoiceFor {
  agent: Agent;
  /** Receives what each call of the model used. */
  used(usage: CallUsage): void;
  under: Parent;
  signal: AbortSignal;
}

interface Choices {
  /** The model that chooses now; undefined where the ranking does. */
  chooser(): Provider | undefined;
  /** Chooses; `cached` is called where the model was not asked again. */
  choose(ask: LookRequest, of: ChoiceFor, cached: () => void): Promise<LookChoice[]>;
  /** What was chosen, as memory gives it now: nothing that was forgotten or changed since, nor closed to this scope. */
  given(ask: LookRequest, choices: readonly LookChoice[]): Promise<Looked>;
}

/** Choices that are stored. */
const maxChoices = 500;

/** Over the memory that the engine reads from. */
export function createChoices(options: {
  memory: LookMemory;
  providers: Providers;
  calls: CallContext;
  settings: ChoiceSettings;
}): Choices {
  const { memory, providers, settings } = options;
  const { clock } = options.calls;
  // that this model is out must not be taken for an outage of the one that answers, nor its answers for the end of one
  const calls = { ...options.calls, problems: createActiveProblems(clock) };
  const known = createLruCache<string, { choices: LookChoice[]; at: MonotonicMs }>(maxChoices);

  const chooser = (): Provider | undefined => {
    const { modelID } = settings;
    if (modelID === undefined || providers.resolve().providerID === 'offline') return undefined;
    // one that takes over is for answers: a look that has to wait for it would be late
    return { ...providers.resolve({ modelID }), next: undefined };
  };

  return {
    chooser,
    async choose(ask, { agent, ...of }, cached) {
      const provider = chooser();
      const parts = { memory, most: settings.memories };
      if (provider === undefined) return chooseByRanking(ask, { ...parts, threshold: settings.threshold });
      const key = hash('sha256', JSON.stringify([agent.name, ask.scope, ask.text, ask.earlier]));
      const before = known.get(key);
      if (before !== undefined && msSince(clock, before.at) < settings.cacheMs) {
        cached();
        return before.choices;
      }
      const choices = await chooseByModel(ask, { ...parts, ...of, provider, calls });
      known.set(key, { choices, at: clock.monotonic() });
      return choices;
    },
    async given(ask, choices) {
      const blocks: string[] = [];
      const hits: Hit[] = [];
      let left = settings.characters;
      for (const { query, ids } of choices) {
        const before = hits.map(({ id }) => id);
        const admit = { most: ids.length, ids };
        const found = await memory.recall({
          ...lookMaterial(ask, before),
          ...{ text: query, admit, budgetChars: left },
        });
        if (found.block === '') continue;
        blocks.push(found.block);
        hits.push(...found.hits);
        left = Math.max(0, left - found.block.length);
      }
      return { block: blocks.join('\n'), hits };
    },
  };
}
