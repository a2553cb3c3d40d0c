// Schemas of requests that refuse what they do not know: a field that was meant and mistyped would be ignored in silence otherwise.
import { type ZodType, z } from 'zod';

/** The schema with unknown keys of each of its objects refused; of one that says itself what becomes of them, unchanged. */
export function strict<T>(schema: ZodType<T>): ZodType<T> {
  return strictSchema(schema) as ZodType<T>; // the same values come out of it
}

function strictSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.def.shape).map(([name, field]) => [name, strictSchema(field)]),
    );
    const catchall = schema.def.catchall ?? z.never();
    return schema.clone({ ...schema.def, shape, catchall });
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: strictSchema(schema.def.element) });
  if (schema instanceof z.ZodUnion)
    return schema.clone({ ...schema.def, options: schema.def.options.map(strictSchema) });
  if (schema instanceof z.ZodPipe) return schema.clone({ ...schema.def, in: strictSchema(schema.def.in) });
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    const wrapper = schema as z.ZodOptional; // all of these have the schema inside them under the same name
    return wrapper.clone({ ...wrapper.def, innerType: strictSchema(wrapper.def.innerType) });
  }
  return schema;
}
