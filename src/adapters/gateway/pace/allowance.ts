// How much of a budget each kind of call may spend: finals all of it, the others what leaves a reserve. Pure.

/** `final`: parts of answers; `preview`: answers in progress, which leave a reserve; `sign`: typing and reactions, the first to give way. */
export type Urgency = 'final' | 'preview' | 'sign';

/**
 * The calls out of `limit` that this urgency may use, at least one. A fifth (at least one) is stored for finals from
 * previews, and twice as much from signs; a budget of a single call is everyone's, since a reserve of it would forbid
 * the others for ever.
 */
export function allowance(limit: number, urgency: Urgency): number {
  const reserve = Math.ceil(limit / 5);
  switch (urgency) {
    case 'final':
      return limit;
    case 'preview':
      return Math.max(1, limit - reserve);
    case 'sign':
      return Math.max(1, limit - 2 * reserve);
  }
}
