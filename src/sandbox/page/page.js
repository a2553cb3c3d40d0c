// The sandbox page: follows what the three platforms show, and says so when it cannot. Not a client of the engine.
// @ts-check
import { find } from './draw.js';
import { createPane } from './pane.js';
import { createSwitch } from './switch.js';

/**
 * @import { SandboxPlatform } from '#sandbox/contract.ts'
 * @import { SandboxState } from '#sandbox/control-state.ts'
 */

const retryMs = 2000;

function start() {
  /** @type {Map<SandboxPlatform, ReturnType<typeof createPane>>} */
  const panes = new Map();
  const platforms = createSwitch();
  const lost = find(document, '.lost', HTMLElement);
  const lostWords = lost.textContent;
  let fetching = false;
  let stale = false;

  async function refresh() {
    stale = true;
    if (fetching) return;
    fetching = true;
    while (stale) {
      stale = false;
      try {
        const response = await fetch('/sandbox/state');
        // another Parley runs here now, with another key
        if (response.status === 401) {
          fetching = false;
          return sayStartedAgain();
        }
        if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`);
        /** @type {SandboxState} */
        const state = await response.json();
        for (const shown of state.platforms) {
          const pane = panes.get(shown.platform) ?? createPane(shown.platform);
          panes.set(shown.platform, pane);
          pane.update(shown);
          platforms.mark(shown.platform, pane.unread());
        }
        sayWhoAnswers(state);
        lost.hidden = true;
      } catch (error) {
        console.warn(error);
        lost.textContent = lostWords;
        lost.hidden = false;
        stale = true;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    fetching = false;
  }

  /** @param {SandboxState} state */
  function sayWhoAnswers({ model, you }) {
    const words = find(document, '.answers', HTMLElement);
    words.textContent = `You are ${you}, the owner. Answered by ${model}.`;
    words.hidden = false;
  }

  function sayStartedAgain() {
    lost.textContent = 'Parley was started again. Open the link that it printed then.';
    lost.hidden = false;
  }

  function listen() {
    const events = new EventSource('/sandbox/events');
    events.addEventListener('change', () => void refresh());
    events.addEventListener('error', () => {
      lost.hidden = false;
      if (events.readyState !== EventSource.CLOSED) return;
      void refresh();
      setTimeout(listen, retryMs);
    });
  }

  find(document, '.tries', HTMLElement).onclick = ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const platform = /** @type {SandboxPlatform} */ (target.dataset.platform); // the page's own markup
    platforms.choose(platform);
    panes.get(platform)?.suggest(target.textContent);
  };
  listen();
}

start();
