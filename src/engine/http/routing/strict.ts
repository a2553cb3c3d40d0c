// Schemas of requests that refuse what they do not know: a field that was meant and mistyped would be ignored in silence otherwise.
import { type ZodType, z } from 'zod';

/** The schema with unknown keys of its object refused; of one that says itself what becomes of them, unchanged. */
export function strict<T>(schema: ZodType<T>): ZodType<T> {
  return strictSchema(schema) as ZodType<T>; // the same values come out of it
}

function strictSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) return schema.def.catchall === undefined ? schema.strict() : schema;
  if (schema instanceof z.ZodPipe) return schema.clone({ ...schema.def, in: strictSchema(schema.def.in) });
  return schema;
}
