// The keys of dreaming: what is recalled often becomes lasting memory, by a schedule.
import { z } from 'zod';
import { cronSchedule } from '#base/cron.ts';
import { usualDreaming } from '#memory/types/usual-dreaming.ts';

const share = (usual: number, words: string) => z.number().min(0).max(1).default(usual).describe(words);
const { gates, weights, boosts, budget } = usualDreaming;

export const dreaming = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        'Counts what answers use of memory, and once for each time of `schedule` promotes what is used again and again into `MEMORY.md`.',
      ),
    schedule: z
      .string()
      .refine(isSchedule, 'expected a cron pattern such as "0 3 * * *"')
      .default(usualDreaming.schedule)
      .describe('When a sweep is due, as a cron pattern in the zone of `memory.files.timeZone`.'),
    gates: z
      .strictObject({
        score: share(gates.score, 'Score that a statement needs.'),
        recalls: z.int().min(1).max(100).default(gates.recalls).describe('Recalls that it needs.'),
        queries: z.int().min(1).max(100).default(gates.queries).describe('Different questions among them.'),
      })
      .default(gates)
      .describe('What a statement needs to be promoted.'),
    weights: z
      .strictObject({
        frequency: share(weights.frequency, 'Of how often it was recalled.'),
        relevance: share(weights.relevance, 'Of how well it met the questions.'),
        diversity: share(weights.diversity, 'Of how many different questions and days.'),
        recency: share(weights.recency, 'Of how fresh the last recall is.'),
        consolidation: share(weights.consolidation, 'Of how far apart the days are.'),
        richness: share(weights.richness, 'Of how many words carry meaning.'),
      })
      .default(weights)
      .describe('Weights of the parts of a score.'),
    boosts: z
      .strictObject({
        light: share(boosts.light, 'By the light phase.'),
        rem: share(boosts.rem, 'By the REM phase.'),
      })
      .default(boosts)
      .describe('What the phases add to a score at most.'),
    halfLifeDays: z
      .number()
      .min(1)
      .max(3_650)
      .default(usualDreaming.halfLifeDays)
      .describe('After so many days a recall counts half.'),
    maxPromotions: z
      .int()
      .min(0)
      .max(100)
      .default(usualDreaming.maxPromotions)
      .describe('Statements that one sweep promotes at most.'),
    characters: z
      .int()
      .min(500)
      .max(200_000)
      .default(usualDreaming.characters)
      .describe(
        'Characters that `MEMORY.md` has at most after a promotion: older promotions are dropped for it, and nothing that a person wrote.',
      ),
    budget: z
      .strictObject({
        calls: z.int().min(0).max(20).default(budget.calls).describe('Calls of the model.'),
        tokens: z.int().min(0).max(200_000).default(budget.tokens).describe('Tokens of all calls.'),
      })
      .default(budget)
      .describe('What one sweep may ask of the model; without a call the REM phase is skipped.'),
  })
  .prefault({});

function isSchedule(pattern: string): boolean {
  try {
    cronSchedule(pattern, 'UTC', '5-or-6-parts');
    return true;
  } catch {
    return false;
  }
}
