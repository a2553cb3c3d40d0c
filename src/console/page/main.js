// The console's beginning: exchanges the key of a link before anything else can see it, asks who is signed in, and draws.
// @ts-check
import { render } from 'preact';
import { App } from './app.js';
import { exchangeLink, whoAmI, words } from './data/api.js';
import { html } from './parts/html.js';
import { applyTheme } from './parts/theme.js';
import { refused } from './sign-in.js';

async function start() {
  applyTheme();
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  const place = document.getElementById('app');
  if (place === null) return;
  place.replaceChildren();
  render(html`<${App} />`, place);
  try {
    if (key === null) await whoAmI();
    else await exchangeLink(key);
  } catch (error) {
    refused.value = words(error);
    if (key !== null) await whoAmI().catch(() => undefined);
  }
}

void start();
