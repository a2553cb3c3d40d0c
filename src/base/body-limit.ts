// A bound for what another program sends.

/** A stream that passes the first `most` bytes and then ends. For responses whose beginning is enough, such as errors. */
export function cutAfter(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}

/** The response with at most the first `most` bytes of its body. */
export function cutBody(response: Response, most: number): Response {
  const { body, headers, status, statusText } = response;
  if (body === null) return response;
  return new Response(body.pipeThrough(cutAfter(most)), { headers, status, statusText });
}
