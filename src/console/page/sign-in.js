// The page of a browser that is not signed in: where the link comes from. It holds nothing of the data.
// @ts-check
import { signal } from '@preact/signals';
import { me, whoAmI } from './data/api.js';
import { command } from './data/called-as.js';
import { html } from './parts/html.js';
import { Button } from './parts/ui.js';

/** Why a link was not taken, or Parley cannot be asked. */
export const refused = signal('');

export function SignIn() {
  const again = async () => {
    refused.value = '';
    await whoAmI();
    if (me.value === null) refused.value = 'This browser is still not signed in.';
  };
  return html`<main class="sign-in">
    <h1>Parley console</h1>
    <p>This browser is not signed in. On the machine where Parley runs, in the folder where it was started, run:</p>
    <pre class="code" tabindex="0"><code>${command('console')}</code></pre>
    <p>It prints a link that works once, for five minutes. For someone who only reads open rooms: <code>${command('console --viewer')}</code></p>
    <p class="muted">The command reads the engine's token from the file <code>token</code> in the home folder (<code>.parley</code>). The token itself is never entered here.</p>
    ${refused.value && html`<p class="failure" role="alert">${refused.value}</p>`}
    <${Button} onPress=${again}>I am signed in now</${Button}>
  </main>`;
}
