// The Web API over HTTP: bodies, tokens, faults, files, Slack's way to answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { FaultTarget } from '#sandbox/contract.ts';
import type { Faults } from '#sandbox/faults.ts';
import { type Args, type Method, type MethodContext, textArg } from '#sandbox/slack/world/method.ts';
import { Refusal, refuse } from '#sandbox/slack/world/refusal.ts';
import { authorize, tokens } from '#sandbox/slack/world/tokens.ts';
import type { Wire } from '#sandbox/slack/world/world.ts';
import type { AppCommands } from './app-commands.ts';
import { chatMethods } from './chat-methods.ts';
import { fileMethods } from './file-methods.ts';
import type { Rates } from './rates.ts';
import { readMethods } from './read-methods.ts';
import { streamMethods } from './stream-methods.ts';

interface HttpOptions {
  context: MethodContext;
  clock: Clock;
  faults: Faults;
  /** Absent where nothing is limited. */
  rates: Rates | undefined;
  commands: AppCommands;
  /** Methods that this workspace refuses, with Slack's word. */
  refusals: Readonly<Record<string, string>>;
  /** Slack's word for every call of a bot whose token was revoked. */
  revoked(): string | undefined;
  record(name: string, status: number): void;
  /** Ends waits that a fault asked for. */
  closing: AbortSignal;
}

const methods: Record<string, Method> = { ...readMethods, ...chatMethods, ...streamMethods, ...fileMethods };
/** Which calls a fault's target means. */
const faultTargets: Readonly<Record<string, FaultTarget>> = {
  'chat.postMessage': 'send',
  'chat.postEphemeral': 'send',
  response_url: 'send',
  'files.completeUploadExternal': 'file',
  'chat.update': 'edit',
  'chat.delete': 'edit',
  'chat.startStream': 'send',
  'chat.appendStream': 'edit',
  'chat.stopStream': 'edit',
  'assistant.threads.setStatus': 'typing',
  'conversations.history': 'receive',
  'conversations.replies': 'receive',
  'apps.connections.open': 'receive',
};
const maxBytes = 5_000_000;
const maxFileBytes = 120_000_000;

/** Answers one request; never rejects. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  if (url.pathname.startsWith('/files-pri/')) {
    sendFile(request, response, options);
    return;
  }
  if (url.pathname.startsWith('/upload/v1/')) {
    await receiveFile(request, response, options);
    return;
  }
  if (url.pathname.startsWith('/commands/')) {
    await answerCommand(request, response, options);
    return;
  }
  const name = url.pathname.startsWith('/api/') ? url.pathname.slice('/api/'.length) : '';
  const fault = options.faults.take(faultTargets[name]);
  try {
    const args = await readArgs(request, url);
    if (fault?.kind === 'slow') await options.clock.sleep(fault.delayMs, options.closing);
    const waitSeconds =
      fault?.kind === 'rate_limit' ? Math.ceil(fault.retryAfterMs / 1000) : options.rates?.refuse(name, args);
    if (waitSeconds !== undefined) {
      response.setHeader('Retry-After', String(waitSeconds));
      reply(response, 429, { ok: false, error: 'ratelimited' });
    } else if (fault?.kind === 'server_error') {
      reply(response, 500, { ok: false, error: 'internal_error' });
    } else {
      response.setHeader('X-OAuth-Scopes', options.context.scopes.join(','));
      const body = run({ name, args, bearer: bearerOf(request) }, options);
      if (fault?.kind === 'lost_response') request.socket.destroy();
      else reply(response, 200, body);
    }
    options.record(name, fault?.kind === 'lost_response' ? 0 : response.statusCode);
  } catch (error) {
    if (options.closing.aborted) return void request.socket.destroy();
    const wrong = error instanceof Refusal || error instanceof SyntaxError;
    const word = error instanceof Refusal ? error.word : wrong ? 'invalid_json' : 'fatal_error';
    options.record(name, wrong ? 400 : 500);
    reply(response, wrong ? 400 : 500, {
      ok: false,
      error: word,
      response_metadata: { messages: [errorMessage(error)] },
    });
  }
}

function run(call: { name: string; args: Args; bearer: string | undefined }, options: HttpOptions): Wire {
  try {
    const method = methods[call.name];
    if (method === undefined) throw refuse('unknown_method');
    const token = call.bearer ?? textArg(call.args, 'token');
    authorize(call.name, token, options.context.scopes);
    const revoked = token === tokens.bot ? options.revoked() : undefined;
    if (revoked !== undefined) throw refuse(revoked);
    const refused = options.refusals[call.name];
    if (refused !== undefined) throw refuse(refused);
    return { ok: true, ...method(call.args, options.context) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      ok: false,
      error: error.word,
      ...error.scopes,
      ...(error.messages.length === 0 ? {} : { response_metadata: { messages: [...error.messages] } }),
    };
  }
}

function reply(response: ServerResponse, status: number, body: Wire): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

async function readBody(request: IncomingMessage, limit = maxBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw refuse('request_too_large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

async function readArgs(request: IncomingMessage, url: URL): Promise<Args> {
  const text = (await readBody(request)).toString('utf8');
  const query = Object.fromEntries(url.searchParams);
  if (text === '') return query;
  if (request.headers['content-type']?.includes('json') === true) {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('json_not_object');
    return { ...query, ...value };
  }
  return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
}

/** An answer to a slash command, by its URL, which is the secret. */
async function answerCommand(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<void> {
  const name = 'response_url';
  const fault = options.faults.take(faultTargets[name]);
  const refused = fault?.kind === 'rate_limit' ? 429 : fault?.kind === 'server_error' ? 500 : undefined;
  if (refused !== undefined) {
    options.record(name, refused);
    response.writeHead(refused, fault?.kind === 'rate_limit' ? { 'Retry-After': '1' } : {}).end();
    return;
  }
  const form = (await readBody(request)).toString('utf8');
  const { status, body } = options.commands.respond(request.url ?? '', form) ?? {
    status: 404,
    body: 'no_command',
  };
  options.record(name, fault?.kind === 'lost_response' ? 0 : status);
  if (fault?.kind === 'lost_response') request.socket.destroy();
  else response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body);
}

/** A private file; without a token that may read files, HTTP 200 with the sign-in page, as Slack does. */
function sendFile(request: IncomingMessage, response: ServerResponse, options: HttpOptions): void {
  const id = (request.url ?? '').split('/')[2] ?? '';
  const file = options.context.world.files.get(id);
  if (bearerOf(request) !== tokens.bot || !options.context.scopes.includes('files:read')) {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(
      '<!DOCTYPE html><html><head><title>Sign in to Sandbox | Slack</title></head><body></body></html>',
    );
    return;
  }
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': file.mime, 'Content-Length': file.bytes.length });
  response.end(file.bytes);
}

/** The bytes of a file whose upload URL was asked for; the URL is the secret, as on Slack. */
async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<void> {
  const file = options.context.world.files.get((request.url ?? '').split('/')[3] ?? '');
  try {
    const bytes = await readBody(request, maxFileBytes);
    if (file === undefined) response.writeHead(404).end();
    else {
      file.bytes = bytes;
      file.mime = request.headers['content-type'] ?? file.mime;
      options.context.world.files.changed(file);
      response.writeHead(200).end(`OK - ${bytes.length}`);
    }
  } catch (error) {
    if (!response.destroyed) response.writeHead(400).end(errorMessage(error));
  }
}
