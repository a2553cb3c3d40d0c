// What a bench puts into the page to see it as a person does: when it is drawn, how late live text is, how evenly it scrolls. As text: a browser runs it.

/** Notes when the heading of a page is drawn, and for each live row how old its newest stamp (`at123;`) is in the frame that draws it. */
export const watchPage = `
window.bench = { headingMs: undefined, delays: [] };
{
  const newest = new Map();
  const look = () => {
    window.bench.headingMs ??= document.querySelector('#page h1') ? performance.now() : undefined;
    for (const row of document.querySelectorAll('.live-text')) {
      const stamp = /.*at(\\d+);/s.exec(row.textContent)?.[1];
      if (stamp === undefined || newest.get(row.href) === stamp) continue;
      if (newest.has(row.href)) window.bench.delays.push(Date.now() - Number(stamp));
      newest.set(row.href, stamp);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

/** Scrolls the open list for this time by so many pixels each frame, upwards by default; gives frames a second. */
export const scrollFor = (ms: number, by = -60): string => `new Promise((resolve) => {
  const list = document.querySelector('.messages .virtual') ?? document.querySelector('.virtual');
  const began = performance.now();
  let frames = 0;
  const step = () => {
    frames += 1;
    list.scrollTop += ${by};
    if (performance.now() - began < ${ms}) requestAnimationFrame(step);
    else resolve((frames * 1000) / (performance.now() - began));
  };
  requestAnimationFrame(step);
})`;
