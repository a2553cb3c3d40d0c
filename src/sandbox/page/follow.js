// A list that stays at its end while it was there: as what is written grows, pictures come, and the pane changes its size.
// @ts-check

/** Closer to the end than this, in pixels, the list follows what is written. */
const nearEnd = 60;

/** @param {HTMLElement} panel What scrolls. @param {HTMLElement} list What is in it. */
export function createFollow(panel, list) {
  let atEnd = true;
  let paneHeight = 0;
  let listHeight = 0;
  let top = 0;
  const isAtEnd = () => panel.scrollHeight - panel.scrollTop - panel.clientHeight < nearEnd;
  // a list that grows in a pane of the same size moves nobody up: only a person does
  const hasLeft = () =>
    panel.clientHeight === paneHeight && list.offsetHeight >= listHeight && panel.scrollTop < top - nearEnd;
  function follow() {
    if (hasLeft()) atEnd = false;
    if (atEnd) panel.scrollTop = panel.scrollHeight;
    paneHeight = panel.clientHeight;
    listHeight = list.offsetHeight;
    top = panel.scrollTop;
  }
  panel.addEventListener('scroll', () => {
    // the browser scrolls too, where a pane is hidden, shown or grows: nobody has left the end by that
    if (panel.clientHeight !== paneHeight || list.offsetHeight !== listHeight) {
      if (hasLeft()) atEnd = false;
      return;
    }
    atEnd = isAtEnd();
    top = panel.scrollTop;
  });
  const sizes = new ResizeObserver(follow);
  sizes.observe(panel);
  sizes.observe(list);
  return {
    follow,
    toEnd() {
      atEnd = true;
      top = panel.scrollTop;
      follow();
    },
  };
}
