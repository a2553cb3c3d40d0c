// A list that stays at its end while it was there: as what is written grows, pictures come, and the pane changes its size.
// @ts-check

/** Closer to the end than this, in pixels, the list follows what is written. */
const nearEnd = 60;

/** @param {HTMLElement} panel What scrolls. @param {HTMLElement} list What is in it. */
export function createFollow(panel, list) {
  let atEnd = true;
  let size = '';
  const sizeNow = () => `${panel.clientHeight} of ${list.offsetHeight}`;
  function follow() {
    size = sizeNow();
    if (atEnd) panel.scrollTop = panel.scrollHeight;
  }
  panel.addEventListener('scroll', () => {
    // the browser scrolls too, where a pane is hidden, shown or grows: nobody has left the end by that
    if (size !== sizeNow()) return;
    atEnd = panel.scrollHeight - panel.scrollTop - panel.clientHeight < nearEnd;
  });
  const sizes = new ResizeObserver(follow);
  sizes.observe(panel);
  sizes.observe(list);
  return {
    follow,
    toEnd() {
      atEnd = true;
      follow();
    },
  };
}
