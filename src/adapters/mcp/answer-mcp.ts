// One request of the Model Context Protocol, answered by a server that exists for it.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode, RequestIdSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { TokenHolder } from '#adapters/gateway/admission/tokens.ts';
import { cutAfter } from '#base/body-limit.ts';
import { ParleyError } from '#base/errors.ts';
import { parseBody, tryJson } from '#base/json.ts';
import { refusedParams } from './check-request.ts';
import { createMcpServer, type McpParts } from './server.ts';

/** Of one request, in bytes: the largest close fits. */
const maxBodyBytes = 8 * 1024 * 1024;

const anyMessage = z.unknown();

/** The response to one HTTP request of the holder of a token, as JSON. What a parser would pass over in its body is refused. */
export async function answerMcp(request: Request, holder: TokenHolder, parts: McpParts): Promise<Response> {
  const text = await textOf(request);
  if (text instanceof Response) return text;
  let parsedBody: unknown;
  try {
    parsedBody = parseBody(text, anyMessage);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const code = error.code === 'invalid_json' ? ErrorCode.ParseError : ErrorCode.InvalidRequest;
    return refused(400, { code, message: `${error.message}.` }, text);
  }
  // where one of several does not fit, none is carried out
  const misfits = [parsedBody].flat().flatMap((each) => {
    const refusal = refusedParams(each);
    return refusal === undefined ? [] : { jsonrpc: '2.0', id: idOf(each), ...refusal };
  });
  if (misfits[0] !== undefined) return Response.json(misfits[0]);
  const server = createMcpServer(holder, parts);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** The body, or the response to one that is too large or no text. */
async function textOf(request: Request): Promise<string | Response> {
  const isTooLarge = Number(request.headers.get('content-length') ?? 0) > maxBodyBytes;
  const bounded = isTooLarge ? null : (request.body?.pipeThrough(cutAfter(maxBodyBytes + 1)) ?? null);
  const bytes = await new Response(bounded).arrayBuffer();
  if (isTooLarge || bytes.byteLength > maxBodyBytes)
    return refused(413, {
      code: ErrorCode.InvalidRequest,
      message: `The body is larger than ${maxBodyBytes} bytes.`,
    });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused(400, { code: ErrorCode.ParseError, message: 'The body is not valid UTF-8.' });
  }
}

/** An error of JSON-RPC, with the id of the request where its text has one. */
function refused(status: number, error: { code: number; message: string }, text = ''): Response {
  return Response.json({ jsonrpc: '2.0', id: idOf(tryJson(text)), error }, { status });
}

function idOf(message: unknown): string | number | null {
  return RequestIdSchema.safeParse(Object(message).id).data ?? null;
}
