// What the operator sees of models that do not answer, until they do again.
import type { ActiveProblems } from '#base/active-problems.ts';
import { hintOf, ParleyError } from '#base/errors.ts';
import { failureOf } from '#engine/providers/calls/failure.ts';
import { silenceOf } from '#engine/providers/calls/silence.ts';
import type { Provider } from './provider.ts';
import { isOutage } from './retry.ts';

/** What is failing while no model answers; whichever answers next ends it. */
const theModel = 'the model';
const outHint = 'It is asked again with the next message; "parley doctor" looks whether it can be reached.';

/** What fails while a model answers in the place of another. */
const outOf = ({ key }: Provider): string => `the model ${key}`;

/** An outage that another model takes over is only in the log; what someone has to fix is for the operator even then. */
export function noteOutage(provider: Provider, error: unknown, problems: ActiveProblems): void {
  const { providerID, modelID, next } = provider;
  const { code, sentence } = failureOf(error);
  const isToFix =
    code === 'AUTHENTICATION_ERROR' || code === 'PROVIDER_BILLING' || code === 'MODEL_NOT_FOUND';
  if (!isToFix && (next !== undefined || !isOutage(error))) return;
  const words = `The model ${providerID}/${modelID} does not answer: ${sentence}`;
  const problem = new ParleyError('model_out', words, {
    hint: silenceOf(error) === undefined ? outHint : `${outHint} ${hintOf(error)}`,
  });
  problems.note(next === undefined ? theModel : outOf(provider), problem);
}

/** The model answers. */
export function clearOutage(provider: Provider, problems: ActiveProblems): void {
  problems.clear(theModel);
  problems.clear(outOf(provider));
}
