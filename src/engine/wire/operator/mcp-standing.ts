// The status of programs that read memory over MCP: their tokens, and their calls. Shapes only.
import { z } from 'zod';

const tokenStanding = z.object({
  valid: z.number().describe('Tokens that are accepted now'),
  expiring: z.number().describe('Of these, tokens that expire within 7 days'),
  expired: z.number().describe('Tokens that expired within the last 30 days, and were not revoked'),
  unusable: z.number().describe('Tokens of persons who are not admitted any more, or have no account'),
  lastUsedAtMs: z.number().nullable().describe('The last use of any, to the hour'),
});
export type TokenStanding = z.infer<typeof tokenStanding>;

export const mcpStanding = tokenStanding.extend({
  requests: z.number().describe('Requests with a valid token, since the start'),
  refused: z.number().describe('Requests without a valid token, since the start'),
  failed: z.number().describe('Calls that failed for a reason in Parley, since the start; its log has each'),
});
export type McpStanding = z.infer<typeof mcpStanding>;
