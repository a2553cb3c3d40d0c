// Making, listing and reading sessions over HTTP. Not runs: those are in prompt-routes.
import { z } from 'zod';
import type { Engine } from '#engine/wire/contract.ts';
import { readBody } from './body.ts';
import { queryOf, sessionOf } from './lookup.ts';
import type { Route } from './route.ts';

/** Text of one line: control characters would break lists and logs. */
const line = (limit: number) =>
  z
    .string()
    .min(1)
    .max(limit)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');

const createBody = z.object({
  title: line(300).optional(),
  projectID: line(200).optional(),
  directory: line(4096).optional(),
});

const digits = z.string().regex(/^\d{1,6}$/, 'expected a whole number');
const listQuery = z.object({
  page_size: digits.transform(Number).pipe(z.number().min(1).max(100)).default(20),
  page: digits.transform(Number).pipe(z.number().min(1)).default(1),
});

/** `POST|GET /session`, `GET /session/{id}` and `GET /session/{id}/message`. */
export function sessionRoutes(engine: Engine): Route[] {
  return [
    {
      method: 'POST',
      path: '/session',
      async handle(c) {
        const body = await readBody(c, createBody);
        return c.json(await engine.createSession({ ...body, sourceKind: 'api' }));
      },
    },
    {
      method: 'GET',
      path: '/session',
      async handle(c) {
        const { page, page_size: limit } = queryOf(c, listQuery);
        return c.json(await engine.listSessions({ limit, offset: (page - 1) * limit }));
      },
    },
    {
      method: 'GET',
      path: '/session/:id',
      handle: async (c) => c.json(await sessionOf(engine, c.req.param('id') ?? '')),
    },
    {
      method: 'GET',
      path: '/session/:id/message',
      async handle(c) {
        const session = await sessionOf(engine, c.req.param('id') ?? '');
        return c.json(await engine.messages(session.id));
      },
    },
  ];
}
