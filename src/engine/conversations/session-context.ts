// What the newest prompt of a session held, part by part, next to the window of its model.

import { ParleyError } from '#base/errors.ts';
import type { Agents } from '#engine/context/agents.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Learned } from '#engine/providers/repair/learned.ts';
import { type OfferedParts, offeredTools, specFormOf } from '#engine/runs/offered.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { unknownSession } from '#engine/sessions/sessions.ts';
import { specsOf } from '#engine/tools/registry.ts';
import type { EngineCommands } from '#engine/wire/commands.ts';

/** As most tokenizers have it for European languages; a provider's own count stands next to it. */
const charsPerToken = 4;

/** The call over the tables; tools are those that the run's agent has now. */
export function createSessionContext(
  parts: OfferedParts & {
    tables: RunTables;
    agents: Pick<Agents, 'named'>;
    /** The model of the session's newest run. */
    providerOf(sessionID: string): Provider;
    learned: () => Promise<Learned>;
  },
): Pick<EngineCommands, 'sessionContext'> {
  const { tables, agents, providerOf, learned } = parts;
  return {
    async sessionContext(sessionID) {
      if (!tables.conversation.sessions.has(sessionID)) throw unknownSession(sessionID);
      const newest = tables.prompts.newest(sessionID);
      const run = newest && tables.runs.get(newest.runID);
      if (newest === undefined || run === undefined)
        throw new ParleyError('prompt_not_found', 'This session has no answer yet whose prompt is known.', {
          hint: 'Ask something first.',
        });
      const provider = providerOf(sessionID);
      const { contextTokens, tools: takesTools } = (await learned()).known(provider);
      const at = { platform: run.origin?.platform, canAsk: run.canAsk, allowlist: run.toolAllowlist };
      const offered = takesTools === false ? [] : offeredTools(parts, agents.named(run.agent), at);
      const specs = specsOf(offered, specFormOf(contextTokens)).map(({ name, description, schema }) => ({
        ...{ name, description, schema },
      }));
      const toolChars = offered.length === 0 ? 0 : JSON.stringify(specs).length;
      const [first, ...rest] = newest.prompt.sections;
      const sections = [
        ...(first === undefined ? [] : [first]),
        ...(toolChars === 0 ? [] : [{ name: 'Tools' as const, characters: toolChars }]),
        ...rest,
      ].map((section) => ({ ...section, tokens: Math.ceil(section.characters / charsPerToken) }));
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
