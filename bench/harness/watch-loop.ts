// How long other work in this process had to wait.

/** Watches the event loop. The function that it returns ends that, and gives how long the loop was held at most, in milliseconds. */
export function watchLoop(): () => number {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
