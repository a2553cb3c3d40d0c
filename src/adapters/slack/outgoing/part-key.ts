// The metadata that carries a part's key, by which a post of unknown outcome is found again.
import { z } from 'zod';

const eventType = 'parley_part';

const schema = z.object({
  event_type: z.string().nullish(),
  event_payload: z.object({ key: z.unknown() }).nullish(),
});

/** The `metadata` of a message that carries its send key. */
export function keyMetadata(key: string): { event_type: string; event_payload: { key: string } } {
  return { event_type: eventType, event_payload: { key } };
}

/** A message's `metadata` as a page shows it. */
export const keySchema = schema.nullish();

/** The send key in a message's metadata; undefined when Parley did not write it. */
export function keyIn(metadata: z.infer<typeof keySchema>): unknown {
  return metadata?.event_type === eventType ? metadata.event_payload?.key : undefined;
}
