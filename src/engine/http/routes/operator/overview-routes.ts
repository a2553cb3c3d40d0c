// `GET /status` and `GET /metrics`: how this part of Parley stands, for people's programs and for Prometheus.

import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { overview, type StatusProvider } from '#engine/wire/operator/overview.ts';

/** Both routes, behind the token like the others; refused where nobody oversees. */
export function overviewRoutes(overseer: StatusProvider | undefined): Route[] {
  const asked = (): StatusProvider => {
    if (overseer !== undefined) return overseer;
    throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'This server has no overview of itself.' });
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/status',
      tag: 'service',
      summary: 'Channels, lanes, backlogs, runs, memory and cost at this moment',
      answers: { 200: { about: 'the status', schema: overview } },
      handle: async (c) => c.json(await asked().overview()),
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      tag: 'service',
      summary: 'The same for Prometheus, which sends the token as its `authorization`',
      answers: { 200: { about: "Prometheus' text format", type: 'text/plain' } },
      async handle() {
        const { type, text } = await asked().metrics();
        return new Response(text, { headers: { 'content-type': type } });
      },
    }),
  ];
}
