// The sandbox page's files with their headers, read once. Not a file server: nothing else can be asked for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface SandboxPageFile {
  route: string;
  body: string;
  headers: Record<string, string>;
}

const files: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'messages.css': 'text/css; charset=utf-8',
  'files.css': 'text/css; charset=utf-8',
  'looks.css': 'text/css; charset=utf-8',
  'narrow.css': 'text/css; charset=utf-8',
  'dark.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'pane.js': 'text/javascript; charset=utf-8',
  'tabs.js': 'text/javascript; charset=utf-8',
  'message-list.js': 'text/javascript; charset=utf-8',
  'composer.js': 'text/javascript; charset=utf-8',
  'follow.js': 'text/javascript; charset=utf-8',
  'walk.js': 'text/javascript; charset=utf-8',
  'switch.js': 'text/javascript; charset=utf-8',
  'attach.js': 'text/javascript; charset=utf-8',
  'record.js': 'text/javascript; charset=utf-8',
  'reactions.js': 'text/javascript; charset=utf-8',
  'draw.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** No inline script or style, nothing from elsewhere, no frame around it but the console of the same server. */
const policy =
  "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; object-src 'none'";

/** What every answer of the page says to browsers. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** Reads the page from the folder next to this file; `index.html` is for `/`, the rest for `/sandbox/`. Throws when a file is missing. */
export function loadPage(): SandboxPageFile[] {
  return Object.entries(files).map(([name, type]) => ({
    route: name === 'index.html' ? '/' : `/sandbox/${name}`,
    body: readFileSync(join(import.meta.dirname, 'page', name), 'utf8'),
    headers: { ...pageHeaders, 'content-type': type },
  }));
}
