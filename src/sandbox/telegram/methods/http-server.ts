// The wire: Bot API calls over HTTP on loopback, with faults. Methods and world are elsewhere.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '#base/errors.ts';
import { createCallLog, type LoggedCall } from '#sandbox/call-log.ts';
import type { FaultTarget } from '#sandbox/contract.ts';
import { type CallFault, createFaults, type Faults } from '#sandbox/faults.ts';
import { openLoopback } from '#sandbox/loopback.ts';
import { type Params, readParams } from '#sandbox/telegram/world/params.ts';
import { Refusal } from '#sandbox/telegram/world/refusal.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import { findMethod, type KnownMethod } from './methods.ts';

/** Which calls a fault's target means. */
const faultTargets: Readonly<Record<string, FaultTarget>> = {
  sendMessage: 'send',
  sendPhoto: 'send',
  sendDocument: 'send',
  editMessageText: 'edit',
  sendMessageDraft: 'edit',
  sendChatAction: 'typing',
  getUpdates: 'receive',
};
const lost = Symbol('lost response');

interface HttpServer {
  url: string;
  faults: Faults;
  calls(): LoggedCall[];
  /** Closes the connections of the polls that wait now. */
  dropPolls(): void;
  close(): Promise<void>;
}

interface Access {
  token: string;
  /** False once the token was revoked. */
  valid(): boolean;
}

/** Listens on 127.0.0.1. */
export async function listen(state: State, access: Access, closing: AbortSignal): Promise<HttpServer> {
  const faults = createFaults();
  const log = createCallLog(state.clock);
  const polls = new Set<ServerResponse>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const target = targetOf(url.pathname);
    const entry = log.record(target.name, 0);
    try {
      refuseToken(target.token, access);
      if (target.kind === 'file') {
        const bytes = fileBytes(state, target.path);
        entry.status = 200;
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
        return;
      }
      const params = await readParams(request, url.searchParams);
      const result = await run(findMethod(target.name) ?? refuseUnknown(), params, response);
      if (result === lost) response.destroy();
      else answer(response, 200, { ok: true, result });
      entry.status = result === lost ? 0 : 200;
    } catch (error) {
      if (response.destroyed) return;
      const refusal = error instanceof Refusal ? error : ownMistake(error);
      entry.status = refusal.errorCode;
      answer(response, refusal.errorCode, refusalBody(refusal));
    }
  }

  /** The method's result under the next fault that fits; `lost` when its answer must not go out. */
  async function run(method: KnownMethod, params: Params, response: ServerResponse): Promise<unknown> {
    const poll = method.name === 'getUpdates';
    const signal = AbortSignal.any([hangUp(response), closing]);
    if (poll) polls.add(response);
    try {
      const fault = faults.take(faultTargets[method.name]);
      if (fault?.kind === 'slow') await state.clock.sleep(fault.delayMs, poll ? signal : closing);
      refuseByFault(fault);
      const result = await method.run(state, { params, signal });
      return fault?.kind === 'lost_response' ? lost : result;
    } catch (error) {
      if (signal.aborted) response.destroy();
      throw error;
    } finally {
      polls.delete(response);
    }
  }

  const server = await openLoopback(state);
  server.onRequest((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    faults,
    calls: log.calls,
    dropPolls() {
      for (const response of polls) response.destroy();
    },
    close: server.close,
  };
}

/** Aborts when the caller closes the connection before it is answered. */
function hangUp(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

type Target =
  | { kind: 'file'; name: 'file'; token: string; path: string }
  | { kind: 'method'; name: string; token: string };

function targetOf(path: string): Target {
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
  if (file !== null)
    return { kind: 'file', name: 'file', token: plainToken(file[1] ?? ''), path: file[2] ?? '' };
  const call = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(path);
  const written = call?.[2] ?? path;
  return { kind: 'method', name: findMethod(written)?.name ?? written, token: plainToken(call?.[1] ?? '') };
}

function plainToken(written: string): string {
  return written.replace(/%3a/i, ':');
}

/** Telegram answers 404 to what does not look like a token and 401 to one that it does not know. */
function refuseToken(token: string, access: Access): void {
  if (token === access.token && access.valid()) return;
  if (/^\d+:[\w-]{8,}$/.test(token)) throw new Refusal(401, 'Unauthorized');
  throw new Refusal(404, 'Not Found');
}

function refuseUnknown(): never {
  throw new Refusal(404, 'Not Found');
}

function fileBytes(state: State, path: string): Uint8Array {
  return (state.files.byPath(path) ?? refuseUnknown()).upload.bytes;
}

/** Not one of Telegram's refusals but a mistake of the sandbox: its message helps the reader of the answer. */
function ownMistake(error: unknown): Refusal {
  return new Refusal(500, `Internal Server Error: ${errorMessage(error)}`);
}

function refuseByFault(fault: CallFault | undefined): void {
  if (fault?.kind === 'server_error') throw new Refusal(500, 'Internal Server Error');
  if (fault?.kind !== 'rate_limit') return;
  const seconds = Math.max(1, Math.ceil(fault.retryAfterMs / 1000));
  throw new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

function refusalBody(refusal: Refusal): object {
  const { errorCode, message, parameters } = refusal;
  const body = { ok: false, error_code: errorCode, description: message };
  return parameters === undefined ? body : { ...body, parameters };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
