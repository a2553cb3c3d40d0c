// The packaged client in a real browser, from a page without a bundler.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { launchChromium, noChromium } from '../support/chromium.ts';

const page = `<!doctype html><script type="importmap">
{"imports": {"eventsource-parser/stream": "/eventsource-parser/dist/stream.js", "parley-gateway/client": "/parley-gateway/dist/engine/client/client.js"}}
</script>
<script type="module">
import { createClient } from 'parley-gateway/client';
const asked = [];
const fetch = async (url, { method }) => {
  asked.push(method + ' ' + new URL(url).pathname);
  return Response.json({ id: 'ses_1', title: '' }, { status: 201 });
};
const client = createClient({ baseUrl: location.origin, token: 'x', fetch });
const { id } = await client.sessions.create();
document.title = id + ' ' + asked.join();
</script>`;

/** Loads the client that is installed in the folder and makes a call with it; resolves with what became of it, in words. */
export async function clientInBrowser(folder: string): Promise<string> {
  if (noChromium !== false) return `SKIPPED: ${noChromium}`;
  const browser = await launchChromium();
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(page);
    // a browser with windows asks for it by itself
    if (url === '/favicon.ico') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/javascript');
    response.end(readFileSync(join(folder, 'node_modules', url)));
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const tab = await browser.newPage();
    const wrong: string[] = [];
    tab.on('pageerror', (error) => wrong.push(error.message));
    await tab.goto(`http://127.0.0.1:${port}/`);
    await tab.waitForFunction(`document.title !== ''`, undefined, { timeout: 20_000 }).catch(() => undefined);
    assert.deepEqual(wrong, []);
    assert.equal(await tab.title(), 'ses_1 POST /session');
    return 'the client runs in Chromium';
  } finally {
    await browser.close();
    server.close();
  }
}
