// The parameters of a request, before the protocol's library looks at them: its own refusal is the raw JSON of a schema.
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { checkInput } from '#base/check-input.ts';
import { ParleyError } from '#base/errors.ts';

/** What a client may ask this server, by its method. */
const requests = new Map(
  [
    CallToolRequestSchema,
    CompleteRequestSchema,
    GetPromptRequestSchema,
    InitializeRequestSchema,
    ListPromptsRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
    ListToolsRequestSchema,
    PingRequestSchema,
    ReadResourceRequestSchema,
  ].map((schema) => [schema.shape.method.value as string, schema as z.ZodType]),
);

const methodOf = z.looseObject({ method: z.string() });
/** A call whose arguments alone do not fit: a model wrote them, and reads what is wrong with them. */
const namedCall = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string() }),
});

/** What a request with wrong parameters is answered with; undefined for one that fits, and for anything that is no request known here. */
export function refusedParams(
  message: unknown,
): { error: { code: number; message: string } } | { result: CallToolResult } | undefined {
  const schema = requests.get(methodOf.safeParse(message).data?.method ?? '');
  if (schema === undefined) return undefined;
  try {
    checkInput(schema, message, { code: 'invalid_request', what: 'The request' });
    return undefined;
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const text = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    return namedCall.safeParse(message).success
      ? { result: { isError: true, content: [{ type: 'text', text }] } }
      : { error: { code: ErrorCode.InvalidParams, message: text } };
  }
}
