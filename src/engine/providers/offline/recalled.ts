// What the offline model was shown of memory: read from the prompt's block and from tool results, the best first. Not its words.
import { z } from 'zod';
import type { ModelCallInput } from '#engine/providers/calls/model-call.ts';
import { parseMemoryBlock } from '#memory/types/block.ts';

type Messages = ModelCallInput['messages'];

export interface RecalledPassage {
  id: string;
  text: string;
  speaker: string;
  where: string;
  /** ISO 8601. */
  at: string;
}

export interface Material {
  passages: RecalledPassage[];
  /** What memory could not do, in its words. */
  degraded: string[];
}

const searchResult = z.object({
  hits: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      speaker: z.string(),
      where: z.string(),
      at: z.string(),
      score: z.number(),
    }),
  ),
  degraded: z.array(z.string()),
});

/** A found passage is quoted when it is at least this good, measured by the best one. */
const share = 0.5;
/** And by the question: below this, one word of several happened to fit. */
const minScore = 0.3;

/** Everything that was recalled for the newest message, without repetitions. */
export function recalledMaterial({
  system,
  messages,
}: Pick<ModelCallInput, 'system' | 'messages'>): Material {
  const inBlock = parseMemoryBlock(system).sort((a, b) => b.score - a.score);
  const worth = share * (inBlock[0]?.score ?? 0);
  const fromBlock = inBlock.filter(({ score }) => score >= worth);
  const found = resultsAfterLastUser(messages);
  const hits = found.flatMap((result) => result.hits);
  const best = Math.max(0, ...hits.map((hit) => hit.score));
  const fromTool = hits
    .filter((hit) => hit.score >= Math.max(minScore, best * share))
    .map((hit) => ({ ...hit, text: unescapeMarkup(hit.text), speaker: unescapeMarkup(hit.speaker) }));
  const byID = new Map<string, RecalledPassage>();
  for (const passage of [...fromBlock, ...fromTool]) {
    if (!byID.has(passage.id)) byID.set(passage.id, passage);
  }
  return { passages: [...byID.values()], degraded: found.flatMap((result) => result.degraded) };
}

/** True when a tool has already answered for the newest message. */
export function hasToolResult(messages: Messages): boolean {
  return afterLastUser(messages).some((message) => message.role === 'tool');
}

function resultsAfterLastUser(messages: Messages): z.infer<typeof searchResult>[] {
  return afterLastUser(messages).flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-result' || part.output.type !== 'json') return [];
      const parsed = searchResult.safeParse(part.output.value);
      return parsed.success ? [parsed.data] : [];
    });
  });
}

/** What came after the newest message of the user: calls of tools and their results. */
export function afterLastUser(messages: Messages): Messages {
  return messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1);
}

function unescapeMarkup(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
