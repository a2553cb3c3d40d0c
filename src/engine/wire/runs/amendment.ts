// What happened to a message after a run had begun to answer it: its author changed it, or it was deleted. Shapes only.
import { z } from 'zod';

export const amendment = z.strictObject({
  nativeID: z.string().min(1).max(200).describe("The platform's id of the message"),
  was: z.string().max(200_000).describe('Its words before'),
  now: z.string().max(200_000).nullable().describe('Its words now; null for a message that was deleted'),
});
export type Amendment = z.infer<typeof amendment>;

export const forgottenTurns = z.strictObject({
  audience: z.templateLiteral([z.enum(['person', 'room']), ':', z.string().min(1)]),
  message_ids: z.array(z.string().min(1).max(200)).min(1).max(1_000).describe("The platform's ids"),
});
export type ForgottenTurns = z.infer<typeof forgottenTurns>;

export const roomStates = z.strictObject({
  rooms: z
    .array(
      z.strictObject({
        audience: z.templateLiteral(['room:', z.string().min(1)]),
        restricted: z.boolean().describe('True while not everyone of its space may read it'),
      }),
    )
    .max(1_000),
});
export type RoomStates = z.infer<typeof roomStates>;
