// A route that another part serves next to the engine's, as the OpenAPI document shows it. Shapes only.
import type { ZodType } from 'zod';

export interface DescribedRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for what a request fills in. */
  path: string;
  tag: 'memory' | 'service';
  summary: string;
  /** It needs no token. */
  open?: boolean;
  body?: ZodType | undefined;
  /** By status. */
  answers: Readonly<Record<number, { about: string; schema?: ZodType | undefined }>>;
}
