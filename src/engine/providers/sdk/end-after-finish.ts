// The end of a provider's stream whose connection stays open after the answer is over.

import type { Clock } from '#base/clock.ts';
import { waitAbandoned } from '#base/waiting/async.ts';

/** After its finish a stream may still bring its usage: this long without a further event, and it is over. */
const finishMs = 2_000;

/**
 * What says that an answer is over, in the streams of OpenAI's two APIs, those like them, and Anthropic. None of it can stand
 * inside what a model says, where JSON has a backslash before each quote. Google's streams are not among them: some say
 * `finishReason` in the middle.
 */
const finish =
  /"finish_reason"\s*:\s*"\w+"|"type"\s*:\s*"(?:message_stop|response\.(?:completed|incomplete|failed))"/;
/** The last line of a stream like OpenAI's, after which nothing comes. */
const done = /\ndata:\s*\[DONE\]/;
const event = /^data:/m;
/** Longer than any of these, so that one is found although it comes in two pieces. */
const longestMark = 100;

/**
 * The same response. Once its stream of events has said that it is over, it ends soon, whether or not its connection does. `alive` is
 * called for all that comes, comments included: by these a server says that its model still works.
 */
export function endAfterFinish(response: Response, clock: Clock, alive: () => void): Response {
  const { body, headers, status, statusText } = response;
  if (body === null || headers.get('content-type')?.includes('text/event-stream') !== true) return response;
  return new Response(endingStream(body, clock, alive), { headers, status, statusText });
}

function endingStream(
  body: ReadableStream<Uint8Array>,
  clock: Clock,
  alive: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let tail = '\n';
  let finished = false;
  let wait: { late: Promise<'late'>; timer: AbortController } | undefined;

  const rest = (): void => {
    wait?.timer.abort(waitAbandoned);
    wait = undefined;
  };
  const silence = (): Promise<'late'> => {
    if (wait !== undefined) return wait.late;
    const timer = new AbortController();
    const late = clock.sleep(finishMs, timer.signal).then(
      () => 'late' as const,
      () => new Promise<never>(() => {}), // something came first
    );
    wait = { late, timer };
    return late;
  };
  /** Whether the stream is over with this piece. */
  const look = (bytes: Uint8Array): boolean => {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const text = tail + piece;
    tail = text.slice(-longestMark);
    finished ||= finish.test(text);
    if (event.test(piece)) rest(); // a comment that keeps the connection alive is no news
    return done.test(text);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await (finished ? Promise.race([reader.read(), silence()]) : reader.read()).catch(
        (error: unknown) => {
          if (!finished) throw error;
          return 'late' as const; // cut after everything was said
        },
      );
      const isOver = next === 'late' || next.done || look(next.value);
      if (next !== 'late' && next.value !== undefined) {
        alive();
        controller.enqueue(next.value);
      }
      if (!isOver) return;
      rest();
      controller.close();
      await reader.cancel().catch(() => undefined); // it may be lost already
    },
    cancel(reason) {
      rest();
      return reader.cancel(reason);
    },
  });
}
