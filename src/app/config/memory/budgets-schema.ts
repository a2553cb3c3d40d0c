// The keys of how much is remembered at most.
import { z } from 'zod';

const limit = (about: string) => z.int().min(1).max(1_000_000_000).optional().describe(about);
const kind = (about: string) => limit(`At most so many ${about}.`);

const limits = z.strictObject({
  characters: limit(
    'Of texts: exchanges, imports, and records with all their versions. Memory files and the journal are not counted.',
  ),
  exchanges: limit('Whole exchanges. Summaries take the place of those that are more.'),
  vectors: limit('Vectors. What has none is found by its words.'),
  edges: limit(
    'Association edges: links by key or tag that `memory.recall.association` follows from one memory, newest first; 1,000 when absent. They are computed by each search and never stored, so that nothing is taken away.',
  ),
  items: z
    .strictObject({
      note: kind('notes'),
      fact: kind('facts'),
      preference: kind('preferences'),
      procedure: kind('procedures'),
      solution_capsule: kind('solutions'),
      episode: kind('summaries of exchanges'),
      turn: kind('imported messages'),
      document: kind('passages of imported documents'),
      lesson: kind('lessons of the journal; summaries take the place of those that are more'),
      decision: kind('decisions of the journal; summaries take the place of those that are more'),
    })
    .partial()
    .optional(),
});

export const budgets = z
  .strictObject({
    audience: limits.optional().describe('Of each person, and of each room.'),
    agent: limits.optional().describe('Of each agent with `partition: "own"`, and of what the others share.'),
    agents: z
      .record(z.string().min(1), limits)
      .optional()
      .describe(
        'Of single agents with `partition: "own"`, by their names: each bound takes the place of the same one of `agent`.',
      ),
  })
  .optional()
  .describe(
    'How much is remembered at most; without it nothing is ever taken away. What is over a budget is brought back in the mildest way that helps: duplicates are merged, exchanges, lessons and decisions summarized, vectors dropped, and last the least useful evicted. Nothing goes because time passes.',
  );
