// The messages of a list as one stop of the Tab key: arrow keys go along them, Enter replies. Not what a message looks like.
// @ts-check

const inside = 'a, button, pre, .spoiler';

/** @param {HTMLElement} list Of messages. @param {HTMLElement} panel The stop where there is no message. */
export function createWalk(list, panel) {
  /** @type {Element | undefined} Where the focus is; the newest message else. */
  let current;

  /** To be called when messages have come, changed or gone: one of them is in the tab order, with what is in it. */
  function settle() {
    const now = current?.isConnected === true ? current : list.lastElementChild;
    for (const row of /** @type {HTMLCollectionOf<HTMLElement>} */ (list.children)) {
      const order = row === now ? 0 : -1;
      if (row.tabIndex === order && row.dataset.walked !== undefined) continue;
      row.dataset.walked = '';
      row.tabIndex = order;
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(inside)))
        one.tabIndex = order;
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
  list.addEventListener('keydown', (event) => {
    const row = event.target;
    if (!(row instanceof HTMLElement) || row.parentElement !== list) return;
    const rows = /** @type {HTMLElement[]} */ ([...list.children]);
    const at = rows.indexOf(row);
    const steps = { ArrowUp: Math.max(0, at - 1), ArrowDown: at + 1, Home: 0, End: rows.length - 1 };
    const to = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to !== undefined) rows[to]?.focus();
    else row.querySelector('.reply')?.dispatchEvent(new MouseEvent('click'));
  });
  return { settle };
}
