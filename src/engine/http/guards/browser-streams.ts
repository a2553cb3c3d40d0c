// Streams of events: how many one sign-in has at once, and all programs together, and that those of a browser end with its sign-in. Not what is in them.
import { ApiError } from '#engine/http/routing/refusal.ts';
import type { SignIn, SignIns } from '#engine/wire/operator/sign-in.ts';

/** Streams of one sign-in at once: more than the tabs of a browser have, and few enough to cost little. */
export const maxStreams = 50;
/** Streams of programs with the token at once, all together: each costs a write for each event. */
export const maxOfPrograms = 500;
/** Programs count under what is no id of a sign-in. */
const programs = '';

/** A stream that counts. */
interface HeldStream {
  /** False once its sign-in has ended or is too old: then nothing more may be sent. */
  isAllowed(): boolean;
  /** Once, at its end. */
  release(): void;
}

export interface BrowserStreams {
  /** Counts a stream, of a program where there is no sign-in. An ApiError 429 beyond `maxStreams`, and of programs beyond `maxOfPrograms`. */
  hold(signIn: SignIn | undefined): HeldStream;
}

/** The streams of one server. */
export function createBrowserStreams(signIns: Pick<SignIns, 'has'> | undefined): BrowserStreams {
  const counts = new Map<string, number>();
  return {
    hold(signIn) {
      const id = signIn?.id ?? programs;
      const [most, whose] = id === programs ? [maxOfPrograms, 'programs'] : [maxStreams, 'one sign-in'];
      const count = counts.get(id) ?? 0;
      if (count >= most)
        throw new ApiError({
          status: 429,
          code: 'TOO_MANY_STREAMS',
          message: `Expected at most ${most} streams of ${whose} at once. Close some of them first.`,
        });
      counts.set(id, count + 1);
      let isHeld = true;
      return {
        isAllowed: () => id === programs || signIns?.has(id) === true,
        release() {
          if (!isHeld) return;
          isHeld = false;
          const left = (counts.get(id) ?? 1) - 1;
          if (left === 0) counts.delete(id);
          else counts.set(id, left);
        },
      };
    },
  };
}
