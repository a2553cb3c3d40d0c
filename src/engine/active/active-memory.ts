// Active memory: one bounded look into memory before an answer, which may volunteer what its message does not ask for.

import { createLruCache } from '#base/caches/lru-cache.ts';
import { msSince } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { Parent } from '#base/tracing.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { Agents } from '#engine/context/agents.ts';
import type { LookAhead, Looked } from '#engine/context/look-ahead.ts';
import type { CallContext } from '#engine/providers/call-model.ts';
import type { Providers } from '#engine/providers/provider.ts';
import type { ActiveMemoryState, LookOutcome } from '#engine/wire/memory/active-memory.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { PromptOrigin, RunSettings } from '#engine/wire/runs/prompt.ts';
import { type BreakerSettings, createBreaker } from './breaker.ts';
import { type ChoiceFor, type ChoiceSettings, createChoices } from './choices.ts';
import type { LookMemory } from './choose.ts';
import { type Eligibility, lookRefusal, placeOfChat } from './eligible.ts';

export interface ActiveMemorySettings extends Eligibility, ChoiceSettings {
  timeoutMs: number;
  /** How much of the conversation before the message goes along. */
  view: keyof typeof earlierMessages;
  breaker: BreakerSettings;
}

/** The run that a look is for. */
interface LookRun extends Omit<ChoiceFor, 'under'> {
  run: { origin?: PromptOrigin | undefined; settings?: RunSettings | undefined };
  /** Set where no person waits for the answer, but another agent. */
  instance: object | undefined;
  span: Parent;
}

export interface ActiveMemory extends Pick<MemoryService, 'activeMemory'> {
  /**
   * The look for a run; undefined where it has none. What goes wrong in it is counted and logged, and volunteers nothing; it rejects
   * only with the reason of the run's signal.
   */
  lookFor(run: LookRun): LookAhead | undefined;
}

/** Messages of the conversation that go along. */
const earlierMessages = { message: 0, recent: 4, full: 40 };
/** Chats whose last look is known. */
const maxChats = 2_000;

interface ActiveParts {
  memory: LookMemory;
  providers: Providers;
  agents: Pick<Agents, 'at' | 'all'>;
  calls: CallContext;
}

/** Over the memory that the engine reads from; off without settings. Throws `unknown_agent` for an agent that is named and not configured. */
export function createActiveMemory({
  settings,
  ...parts
}: ActiveParts & { settings: ActiveMemorySettings | undefined }): ActiveMemory {
  if (settings !== undefined) return createLooks({ ...parts, settings });
  return {
    lookFor: () => undefined,
    activeMemory: async ({ chat }) => ({
      counts: null,
      refusal: chat === undefined ? null : 'off',
      last: null,
    }),
  };
}

function createLooks({ settings, ...parts }: ActiveParts & { settings: ActiveMemorySettings }): ActiveMemory {
  const { agents, calls } = parts;
  const { clock, log } = calls;
  checkNames(settings, agents);
  const { chooser, choose, given } = createChoices({ ...parts, settings });
  const last = createLruCache<string, NonNullable<ActiveMemoryState['last']>>(maxChats);
  const counts = { given: 0, nothing: 0, late: 0, failed: 0, paused: 0, cached: 0 };
  const breaker = createBreaker(settings.breaker, clock);
  const nothing: Looked = { block: '', hits: [] };
  const many = earlierMessages[settings.view];

  const look = async (asked: Parameters<LookAhead>[0], of: ChoiceFor, chat: string): Promise<Looked> => {
    const { signal } = of;
    const began = clock.monotonic();
    const note = (outcome: LookOutcome, memories = 0): void => {
      const ms = Math.round(msSince(clock, began));
      counts[outcome] += 1;
      last.set(chat, { atMs: clock.now(), ms, outcome, memories });
      log.debug({ chat, outcome, ms, memories }, 'a look into memory');
    };
    if (!breaker.begin()) {
      note('paused');
      return nothing;
    }
    const ask = { ...asked, earlier: many === 0 ? [] : asked.earlier.slice(-many) };
    const limit = { clock, ms: settings.timeoutMs, what: 'The look into memory', signal };
    try {
      const found = await withTimeout(limit, async (within) => {
        const choices = await choose(ask, { ...of, signal: within }, () => {
          counts.cached += 1;
        });
        return given(ask, choices);
      });
      breaker.succeeded();
      note(found.hits.length > 0 ? 'given' : 'nothing', found.hits.length);
      return found;
    } catch (error) {
      if (signal.aborted) {
        breaker.abandoned();
        throw signal.reason;
      }
      note(codeOf(error) === 'timeout' ? 'late' : 'failed');
      const isPaused = breaker.failed();
      log.warn(
        { chat, error: errorMessage(error), isPaused },
        'an answer is given without a look into memory',
      );
      return nothing;
    }
  };

  return {
    lookFor({ run: { origin, settings: own }, instance, span: under, ...of }) {
      if (origin === undefined || instance !== undefined || own?.activeMemory === false) return undefined;
      const { platform, kind, chat } = origin;
      if (lookRefusal(settings, { platform, kind, chat, agent: of.agent }) !== null) return undefined;
      const { agent, used, signal } = of;
      return async (ask) =>
        ask.text.trim() === '' ? nothing : look(ask, { agent, used, signal, under }, chat);
    },
    async activeMemory({ chat, agent: named }) {
      const remaining = breaker.remainingMs();
      const place = chat && placeOfChat(chat, agents.at({ agent: named }));
      const model = chooser();
      return {
        counts: {
          by: model === undefined ? 'ranking' : 'model',
          model: model?.modelID ?? null,
          timeoutMs: settings.timeoutMs,
          ...counts,
          pausedUntilMs: remaining === undefined ? null : clock.now() + remaining,
        },
        refusal: place ? lookRefusal(settings, place) : null,
        last: (chat === undefined ? undefined : last.get(chat)) ?? null,
      };
    },
  };
}

/** A name that no agent has would silently leave all without looks. */
function checkNames({ agents: named = [] }: ActiveMemorySettings, agents: Pick<Agents, 'all'>): void {
  const names = agents.all().map(({ name }) => name);
  const unknown = named.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = names.map((name) => JSON.stringify(name)).join(', ');
  throw new ParleyError(
    'unknown_agent',
    `memory.active.agents: there is no agent ${JSON.stringify(unknown)}; there are: ${known}.`,
    { hint: 'Use one of these names, or leave the key out for all of them.' },
  );
}
