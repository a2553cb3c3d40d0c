// Rows of buttons below a message, checked as Discord checks them.
import { z } from 'zod';

const button = z.looseObject({
  type: z.literal(2),
  style: z.int().min(1).max(4),
  label: z.string().min(1).max(80),
  custom_id: z.string().min(1).max(100),
});
/** Rows of buttons, as a message may have them (Discord's "Component Reference"). */
export const componentRows = z
  .array(z.looseObject({ type: z.literal(1), components: z.array(button).min(1).max(5) }))
  .max(5);
export type ComponentRows = z.infer<typeof componentRows>;
