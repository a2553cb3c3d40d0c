// Waiting for a promise until a signal aborts. The work behind the promise continues.

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. */
export async function withAbort<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let leave: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
