// What the newest prompt of a session held, part by part, next to the window of its model.

import { ParleyError } from '#base/errors.ts';
import type { Agents } from '#engine/context/agents.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Learned } from '#engine/providers/repair/learned.ts';
import { type OfferedParts, offeredTools, specFormOf } from '#engine/runs/offered.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { unknownSession } from '#engine/sessions/sessions.ts';
import { specsOf } from '#engine/tools/definition/registry.ts';
import type { RunPrompt, StoredPrompt } from '#engine/wire/runs/run-prompt.ts';
import type { SessionService } from '#engine/wire/sessions/session-operations.ts';

/** As most tokenizers have it for European languages; a provider's own count stands next to it. */
const charsPerToken = 4;

interface SessionContextParts extends OfferedParts {
  tables: RunTables;
  agents: Pick<Agents, 'named'>;
  /** The model of the session's newest run. */
  providerOf(sessionID: string): Provider;
  learned: () => Promise<Learned>;
}

/** The sections of a run's prompt with its tools behind the instructions: those that its agent has now. */
export type SectionsOfRun = (
  run: StoredRun,
  sections: StoredPrompt['sections'],
) => Promise<Pick<RunPrompt['sections'][number], 'name' | 'characters'>[]>;

/** Makes the function; it reads what the model takes with its first call. */
export function createSectionsOfRun(parts: SessionContextParts): SectionsOfRun {
  const { agents, providerOf, learned } = parts;
  return async (run, [first, ...rest]) => {
    const { contextTokens, tools: takesTools } = (await learned()).known(providerOf(run.sessionID));
    const at = { platform: run.origin?.platform, canAsk: run.canAsk, allowlist: run.toolAllowlist };
    const offered = takesTools === false ? [] : offeredTools(parts, agents.named(run.agent), at);
    const specs = specsOf(offered, specFormOf(contextTokens)).map(({ name, description, schema }) => ({
      ...{ name, description, schema },
    }));
    const characters = offered.length === 0 ? 0 : JSON.stringify(specs).length;
    return [
      ...(first === undefined ? [] : [first]),
      ...(characters === 0 ? [] : [{ name: 'Tools' as const, characters }]),
      ...rest,
    ];
  };
}

/** The call over the tables. */
export function createSessionContext(
  parts: SessionContextParts,
  sectionsOfRun: SectionsOfRun,
): Pick<SessionService, 'sessionContext'> {
  const { tables, providerOf, learned } = parts;
  return {
    async sessionContext({ sessionID }) {
      if (!tables.conversation.sessions.has(sessionID)) throw unknownSession(sessionID);
      const newest = tables.prompts.newest(sessionID);
      const run = newest && tables.runs.get(newest.runID);
      if (newest === undefined || run === undefined)
        throw new ParleyError('prompt_not_found', 'This session has no answer yet whose prompt is known.', {
          hint: 'Ask something first.',
        });
      const provider = providerOf(sessionID);
      const { contextTokens } = (await learned()).known(provider);
      const sections = (await sectionsOfRun(run, newest.prompt.sections)).map((section) => ({
        ...section,
        tokens: Math.ceil(section.characters / charsPerToken),
      }));
      const usage = tables.usage.get(run.runID);
      const summary = tables.conversation.summaries.newest(sessionID);
      return {
        runID: run.runID,
        model: { providerID: provider.providerID, modelID: provider.modelID },
        windowTokens: contextTokens ?? null,
        sections,
        tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0),
        counted:
          usage === undefined || usage.inputTokens === 0
            ? null
            : { calls: usage.calls, inputTokens: usage.inputTokens },
        summary:
          summary === undefined ? null : { messages: summary.messages, createdAtMs: summary.createdAtMs },
      };
    },
  };
}
