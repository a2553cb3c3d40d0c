// How much of a budget each kind of call may spend: finals all of it, the others what leaves a reserve. Pure.

/** `final`: parts of answers; `preview`: answers in progress, which leave a reserve; `sign`: typing and reactions, which give way first. */
export type Urgency = 'final' | 'preview' | 'sign';

/**
 * The calls out of `limit` that this urgency may use, at least one. Previews leave a fifth (at least one) for finals, and
 * indicators twice as much. Every urgency may use a budget of a single call, since a reserve would forbid the others for ever.
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
