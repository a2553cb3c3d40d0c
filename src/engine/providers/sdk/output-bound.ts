// How much a model may write in one call: text, reasoning and the arguments of tools.
import { ParleyError } from '#base/errors.ts';
import type { ModelCallInput } from '#engine/providers/calls/model-call.ts';

/** The parts of a stream that are counted. */
type CountedPart =
  | { type: 'text-delta' | 'reasoning-delta'; text: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'tool-input-delta'; id: string; delta: string };

/**
 * Counts what a call writes; throws `OUTPUT_TOO_LONG` beyond `asked.maxChars`. A tool with `argumentChars` has that much of its
 * own first: what it is given is a file, and no words of the answer.
 */
export function createOutputBound({
  maxChars = Number.POSITIVE_INFINITY,
  tools,
}: ModelCallInput): (part: CountedPart) => void {
  let left = maxChars;
  const own = new Map(tools.map(({ name, argumentChars = 0 }) => [name, argumentChars]));
  const called = new Map<string, string>();
  const take = (chars: number): void => {
    left -= chars;
    if (left < 0)
      throw new ParleyError(
        'OUTPUT_TOO_LONG',
        `The model wrote more than ${maxChars} characters, arguments of tools included.`,
      );
  };
  return (part) => {
    if (part.type === 'tool-input-start') called.set(part.id, part.toolName);
    else if (part.type === 'tool-input-delta') {
      const name = called.get(part.id) ?? '';
      const room = own.get(name) ?? 0;
      own.set(name, Math.max(0, room - part.delta.length));
      take(Math.max(0, part.delta.length - room));
    } else take(part.text.length);
  };
}
