// The streams of browsers that are signed in: how many one sign-in has at once, and that they end with it. Not what is in them.
import { ApiError } from '#engine/http/routing/refusal.ts';
import type { SignIn, SignIns } from '#engine/wire/operator/sign-in.ts';

/** Streams of one sign-in at once: more than the tabs of a browser have, and few enough to cost little. */
export const maxStreams = 50;

/** A stream that counts. */
interface HeldStream {
  /** False once its sign-in has ended or is too old: then nothing more may be sent. */
  isAllowed(): boolean;
  /** Once, at its end. */
  release(): void;
}

export interface BrowserStreams {
  /** Counts a stream; undefined for one of a program, whose token has no end. An ApiError 429 beyond `maxStreams`. */
  hold(signIn: SignIn | undefined): HeldStream | undefined;
}

/** The streams of one server. */
export function createBrowserStreams(signIns: Pick<SignIns, 'has'> | undefined): BrowserStreams {
  const counts = new Map<string, number>();
  return {
    hold(signIn) {
      if (signIn === undefined) return undefined;
      const { id } = signIn;
      const count = counts.get(id) ?? 0;
      if (count >= maxStreams)
        throw new ApiError({
          status: 429,
          code: 'TOO_MANY_STREAMS',
          message: `Expected at most ${maxStreams} streams of one sign-in at once. Close some of them first.`,
        });
      counts.set(id, count + 1);
      let isHeld = true;
      return {
        isAllowed: () => signIns?.has(id) === true,
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
