// What a model says, without the secrets of the configuration: before anything of it is stored, shown or told.
import type { Secrets } from '#base/secrets.ts';
import type { ModelPiece } from './model-piece.ts';

/** The same pieces, masked; a delta that may begin a secret waits for what follows, so that no preview shows half of one. */
export async function* maskPieces(
  pieces: AsyncIterable<ModelPiece>,
  secrets: Secrets,
): AsyncGenerator<ModelPiece> {
  const stream = secrets.stream();
  let type: 'text' | 'reasoning' = 'text';
  const rest = (): ModelPiece[] => {
    const delta = stream.end();
    return delta === '' ? [] : [{ type, delta }];
  };
  for await (const piece of pieces) {
    if (piece.type === 'text' || piece.type === 'reasoning') {
      if (piece.type !== type) yield* rest();
      type = piece.type;
      // an empty piece as well: it shows that the model is not silent
      yield { type, delta: stream.push(piece.delta) };
    } else if (piece.type === 'was reasoning') {
      // what waits is of the same thought
      yield piece;
      type = 'reasoning';
    } else {
      yield* rest();
      if (piece.type === 'tool call')
        yield { ...piece, tool: secrets.mask(piece.tool), args: secrets.maskAll(piece.args) };
      else if (piece.type === 'end') yield { ...piece, messages: secrets.maskAll(piece.messages) };
      else yield piece;
    }
  }
}
