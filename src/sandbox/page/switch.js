// On a narrow screen one pane at a time, chosen at the top; on a wide one all three stand side by side, and this is not there.
// @ts-check
import { find } from './draw.js';

/** @import { SandboxPlatform } from '#sandbox/contract.ts' */

/** The three buttons, of which the first is chosen. */
export function createSwitch() {
  const strip = find(document, '.switch', HTMLElement);
  const buttons = [...strip.querySelectorAll('button')];

  /** @param {string | undefined} platform */
  function choose(platform) {
    document.body.dataset.platform = platform;
    for (const button of buttons) button.ariaPressed = String(button.dataset.platform === platform);
    buttons.find(({ dataset }) => dataset.platform === platform)?.classList.remove('unread');
  }

  strip.onclick = ({ target }) => {
    if (target instanceof HTMLButtonElement) choose(target.dataset.platform);
  };
  choose(buttons[0]?.dataset.platform);
  return {
    choose,
    /** Marks a platform that is not on the screen and has something unread. @param {SandboxPlatform} platform @param {boolean} unread */
    mark(platform, unread) {
      const button = buttons.find(({ dataset }) => dataset.platform === platform);
      button?.classList.toggle('unread', unread && document.body.dataset.platform !== platform);
    },
  };
}
