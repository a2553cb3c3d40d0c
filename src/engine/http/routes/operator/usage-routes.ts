// What runs used, over HTTP: tokens and cost as sums and over time.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { integerParam, optionalID } from '#engine/operations/fields.ts';
import { usageBucket, usageSum } from '#engine/wire/runs/usage.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { usageKeys } from '#engine/wire/sessions/filters.ts';

const day = z.iso.date().optional();

/** `/usage` and `/usage/series`. */
export function usageRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/usage/series',
      tag: 'runs',
      summary: 'Messages, tokens, cost, errors and latency over time, in buckets of equal length',
      query: z
        .object({
          from_ms: integerParam(0, Number.MAX_SAFE_INTEGER),
          until_ms: integerParam(0, Number.MAX_SAFE_INTEGER),
          step_ms: integerParam(1_000, 366 * 86_400_000),
        })
        .refine(
          ({ from_ms, until_ms, step_ms }) => until_ms > from_ms && until_ms - from_ms <= 1_000 * step_ms,
          {
            message: 'expected from_ms before until_ms, and at most 1,000 buckets between them',
          },
        ),
      answers: { 200: { about: 'Every bucket of the range, oldest first', schema: z.array(usageBucket) } },
      handle: async (c, { query: { from_ms: fromMs, until_ms: untilMs, step_ms: stepMs } }) =>
        c.json(await engine.usageSeries({ fromMs, untilMs, stepMs })),
    }),
    defineRoute({
      method: 'GET',
      path: '/usage',
      tag: 'runs',
      summary:
        'Tokens and cost, summed by day (UTC) or by session, newest first, or by person, room, agent or model, dearest first',
      query: z.object({
        by: z.enum(usageKeys).default('day'),
        sessionID: optionalID,
        from: day,
        until: day,
        limit: integerParam(1, 1000).default(100),
      }),
      answers: { 200: { about: 'The sums', schema: z.array(usageSum) } },
      handle: async (c, { query }) => c.json(await engine.usage(query)),
    }),
  ];
}
