// What a bench puts into the page to see it as a person does: when it is drawn, how late live text is, how evenly it scrolls. As text: a browser runs it.

/**
 * Notes when the heading of a page is drawn, how old each stamp (`at123;`) is when the page receives it, and for each live row how old its
 * newest stamp is once the frame that shows it was drawn.
 */
export const watchPage = `
window.bench = { headingMs: undefined, arrivals: [], delays: [] };
{
  const decode = TextDecoder.prototype.decode;
  TextDecoder.prototype.decode = function (...given) {
    const text = decode.apply(this, given);
    const moment = Date.now();
    for (const [, stamp] of text.matchAll(/"delta":"at(\\d+);/g)) window.bench.arrivals.push(moment - Number(stamp));
    return text;
  };
  const newest = new Map();
  const look = () => {
    window.bench.headingMs ??= document.querySelector('#page h1') ? performance.now() : undefined;
    for (const row of document.querySelectorAll('.live-text')) {
      const stamp = /.*at(\\d+);/s.exec(row.textContent)?.[1];
      if (stamp === undefined || newest.get(row.href) === stamp) continue;
      if (newest.has(row.href)) window.bench.delays.push(Date.now() - Number(stamp));
      newest.set(row.href, stamp);
    }
  };
  // a message that a frame sends arrives once the frame was drawn
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = look;
  const frame = () => {
    port2.postMessage(undefined);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
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
