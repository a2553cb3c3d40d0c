// What dreaming does where nothing else is set. The weights, the gates but the schedule are those of OpenClaw's memory.
import type { DreamingSettings } from './dreaming.ts';

export const usualDreaming: DreamingSettings = {
  schedule: '0 3 * * *',
  gates: { score: 0.75, recalls: 3, queries: 2 },
  weights: {
    frequency: 0.24,
    relevance: 0.3,
    diversity: 0.15,
    recency: 0.15,
    consolidation: 0.1,
    richness: 0.06,
  },
  boosts: { light: 0.06, rem: 0.09 },
  halfLifeDays: 14,
  maxPromotions: 10,
  characters: 10_000,
  budget: { calls: 2, tokens: 8_000 },
};
