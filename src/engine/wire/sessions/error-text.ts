// The text of a failed answer, as clients read it over HTTP: no model and no chat gets it, and it is stored nowhere.
import { truncate } from '#base/text.ts';
import type { WireSessionMessage } from './message.ts';

/** Characters of the text, as Tandem has it. */
const maxChars = 500;

/** The message with `ENGINE_ERROR: CODE: message` as its last text, where its run failed; a cancelled one has not. */
export function withErrorText(message: WireSessionMessage): WireSessionMessage {
  const text = errorTextOf(message);
  return text === undefined ? message : { ...message, parts: [...message.parts, { type: 'text', text }] };
}

/** The message without that text: its error says the same. */
export function withoutErrorText(message: WireSessionMessage): WireSessionMessage {
  const last = message.parts.at(-1);
  const isError = last?.type === 'text' && last.text === errorTextOf(message);
  return isError ? { ...message, parts: message.parts.slice(0, -1) } : message;
}

function errorTextOf({ info: { error } }: WireSessionMessage): string | undefined {
  if (error === undefined || error.code === 'CANCELLED') return undefined;
  return truncate(`ENGINE_ERROR: ${error.code}: ${error.message}`, maxChars);
}
