// A model that sends nothing for too long: which limit of silence it passed, and how long that is.
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';

/** What was waited for: that the provider takes the request, that the model begins to answer, or that it goes on. */
export type Awaited = 'accept' | 'begin' | 'continue';

export interface Silence {
  awaited: Awaited;
  /** The limit that was passed, in milliseconds. */
  ms: number;
}

/** The setting of each limit. */
const limitKeys: Record<Awaited, string> = {
  accept: 'model.connectSeconds',
  begin: 'model.firstTokenSeconds',
  continue: 'model.idleSeconds',
};

/** A ParleyError `timeout` with the silence in its details, and the setting of the limit in its hint. */
export function silentTooLong({ awaited, ms }: Silence): ParleyError {
  const within = counted(ms / 1000, 'second');
  const words =
    awaited === 'continue'
      ? `The model went silent in the middle of its answer: nothing came for ${within}.`
      : `The model did not begin to answer within ${within}.`;
  return new ParleyError('timeout', words, {
    hint: `${limitKeys[awaited]} lets it take longer, as a model needs that its server has to load first.`,
    details: { awaited, ms },
  });
}

/** The silence that the error is about; undefined for any other error. */
export function silenceOf(error: unknown): Silence | undefined {
  if (!(error instanceof ParleyError) || error.code !== 'timeout') return undefined;
  const { awaited, ms } = error.details ?? {};
  return typeof ms === 'number' && isAwaited(awaited) ? { awaited, ms } : undefined;
}

function isAwaited(value: unknown): value is Awaited {
  return typeof value === 'string' && Object.hasOwn(limitKeys, value);
}
