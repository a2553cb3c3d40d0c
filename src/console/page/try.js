// Try it: the simulated platforms of the sandbox, where a person talks to the bot as on a real one.
// @ts-check
import { html } from './parts/html.js';
import { Head } from './parts/ui.js';

export function TryPage() {
  return html`<${Head} title="Try it" note="Three simulated platforms, one bot, one memory. Nothing leaves this machine."><a class="button" href="/">Open in a window</a></${Head}>
    <iframe class="try" src="/" title="The sandbox: Discord, Telegram and Slack"></iframe>`;
}
