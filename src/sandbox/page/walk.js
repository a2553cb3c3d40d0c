// The messages of a list as one stop of the Tab key: arrow keys go along them and into them, Enter replies.
// @ts-check

const inside = 'a, button, pre, .spoiler';
/** What waits for an answer is a stop of its own. */
const choices = '.buttons button';

/** @param {HTMLElement} list Of messages. @param {HTMLElement} panel The stop where there is no message. */
export function createWalk(list, panel) {
  /** @type {Element | undefined} Where the focus is; the newest message else. */
  let current;

  /** To be called when messages have come, changed or gone: one of them is in the tab order, with its choices. */
  function settle() {
    const now = current?.isConnected === true ? current : list.lastElementChild;
    for (const row of /** @type {HTMLCollectionOf<HTMLElement>} */ (list.children)) {
      const order = row === now ? 0 : -1;
      if (row.tabIndex === order && row.dataset.walked !== undefined) continue;
      row.dataset.walked = '';
      row.tabIndex = order;
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(inside)))
        one.tabIndex = one.matches(choices) ? order : -1;
    }
    panel.tabIndex = now === null ? 0 : -1;
  }

  list.addEventListener('focusin', ({ target }) => {
    current = target instanceof Element ? (target.closest('.message') ?? undefined) : undefined;
    settle();
  });
  list.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && list.contains(relatedTarget)) return;
    current = undefined;
    settle();
  });
  /** Moves into a message and back: to its links, code and buttons. @param {HTMLElement} row @param {HTMLElement} from @param {number} step */
  function enter(row, from, step) {
    const stops = [row, .../** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(inside))];
    stops[Math.max(0, stops.indexOf(from) + step)]?.focus();
  }

  list.addEventListener('keydown', (event) => {
    const { target, key } = event;
    const row = target instanceof HTMLElement ? target.closest('.message') : null;
    if (!(target instanceof HTMLElement) || !(row instanceof HTMLElement)) return;
    const rows = /** @type {HTMLElement[]} */ ([...list.children]);
    const at = rows.indexOf(row);
    const steps = { ArrowUp: Math.max(0, at - 1), ArrowDown: at + 1, Home: 0, End: rows.length - 1 };
    const to = Object.entries(steps).find(([name]) => name === key)?.[1];
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (key === 'Escape') row.focus();
    else if (to !== undefined) rows[to]?.focus();
    // code is moved sideways by the same keys
    else if (sideways !== undefined && target.tagName !== 'PRE') enter(row, target, sideways);
    else if (key === 'Enter' && target === row)
      row.querySelector('.reply')?.dispatchEvent(new MouseEvent('click'));
    else return;
    event.preventDefault();
  });
  return { settle };
}
