// A call of a model as a span, with the names that OpenTelemetry has for it. Neither prompt nor answer is in it.
import type { Parent } from '#base/tracing.ts';
import { failureOf } from '#engine/providers/calls/failure.ts';
import type { ModelPiece } from './model-piece.ts';
import type { Provider } from './provider.ts';

/** The same pieces; the span ends with them, or with the code of what ended them. */
export async function* traceCall(
  pieces: AsyncIterable<ModelPiece>,
  { provider: { providerID, modelID }, under }: { provider: Provider; under: Parent },
): AsyncGenerator<ModelPiece> {
  const span = under.child(`chat ${modelID}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerID,
      'gen_ai.request.model': modelID,
    },
  });
  let failure: string | undefined = 'left'; // unless it comes to an end on its own
  try {
    for await (const piece of pieces) {
      if (piece.type === 'end' && piece.usage !== undefined)
        span.set({
          'gen_ai.usage.input_tokens': piece.usage.inputTokens,
          'gen_ai.usage.output_tokens': piece.usage.outputTokens,
        });
      yield piece;
    }
    failure = undefined;
  } catch (error) {
    failure = failureOf(error).code;
    throw error;
  } finally {
    span.end(failure);
  }
}
