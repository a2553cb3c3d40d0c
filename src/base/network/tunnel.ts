// A connection through a forward proxy, by CONNECT (RFC 9110, 9.3.6): what is written goes to the host unread.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { ParleyError } from '#base/errors.ts';

/** How long a proxy may take to answer a CONNECT, in milliseconds. */
const answerMs = 30_000;

/** Resolves with the connection to `host`; rejects with a ParleyError `proxy_refused` that says what the proxy answered. */
export function openTunnel(
  proxy: URL,
  { host, port }: { host: string; port: number },
  signal?: AbortSignal | undefined,
): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = decodeURIComponent(proxy.username);
  const credentials = Buffer.from(`${user}:${decodeURIComponent(proxy.password)}`).toString('base64');
  const headers = { host: path, ...(user === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) };
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
      path,
      headers,
      agent: false,
      timeout: answerMs,
      ...(signal === undefined ? {} : { signal }),
    });
    const refuse = (words: string, cause?: unknown): void =>
      reject(
        new ParleyError('proxy_refused', `The proxy ${proxy.host} ${words}.`, {
          cause,
          hint: 'Look at HTTPS_PROXY, HTTP_PROXY and `network.proxy`, and at what the proxy allows.',
        }),
      );
    asked.on('connect', (response, socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200)
        resolve(socket as Socket); // a client's CONNECT is over a socket
      else {
        socket.destroy();
        refuse(`does not connect to ${path}: it answered ${response.statusCode}`);
      }
    });
    asked.on('response', (response) => {
      response.destroy();
      refuse(`does not connect to ${path}: it answered ${response.statusCode}`);
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${answerMs / 1000} s`)));
    asked.on('error', (error) => {
      if (signal?.aborted === true) reject(signal.reason);
      else refuse(`cannot be reached (${error.message})`, error);
    });
    asked.end();
  });
}
