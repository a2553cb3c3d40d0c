// Webhooks: programs that put something into a chat. Shapes and promises only.
import { z } from 'zod';

/** The largest body of a webhook's request, in bytes. */
export const hookBodyLimit = 256 * 1024;

const hookName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected a name of lower-case letters, digits and "-", at most 40');

export const newHook = z.strictObject({
  name: hookName,
  chat: z.string().min(1).max(1_000).describe('Canonical address of the chat where it speaks'),
  kind: z.enum(['text', 'prompt']).optional().describe('`text` when absent'),
  template: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .describe(
      '`{{body}}` when absent. With `{{body}}` for the whole body, and `{{a.b}}` for a value of a JSON body',
    ),
  per_minute: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Requests that are taken within a minute; 30 when absent'),
});
export type NewHook = z.infer<typeof newHook>;

export const hook = z.object({
  name: z.string(),
  chat: z.string(),
  kind: z.enum(['text', 'prompt']),
  template: z.string(),
  per_minute: z.number(),
  /** `stopped`: what it brought could not be sent any more; `reason` says why. */
  state: z.enum(['active', 'stopped']),
  reason: z.string().optional(),
  created_at_ms: z.number(),
  received_at_ms: z.number().nullable(),
});
export type Hook = z.infer<typeof hook>;

export const hookMade = hook.extend({ secret: z.string().describe('Shown only now') });
export type HookMade = z.infer<typeof hookMade>;

/** What a program sent, with how it proves that it knows the secret. */
export interface HookRequest {
  body: string;
  proof: { bearer: string } | { timestamp: string; signature: string };
  /** The same key is delivered once. Of a signed request it counts if it is signed too. */
  key: string | undefined;
}

export const hookTaken = z.object({ ok: z.literal(true), status: z.enum(['accepted', 'duplicate']) });

export const hookTested = z.object({
  ok: z.literal(true),
  status: z
    .enum(['waiting', 'accepted', 'sent', 'skipped', 'refused', 'failed'])
    .describe('`waiting` or `accepted`: nothing is known yet'),
  reason: z.string().optional(),
});
export type HookTested = z.infer<typeof hookTested>;
