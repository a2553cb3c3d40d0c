// What of an answer in progress can be appended to a stream: text that no later text changes. Pure.

/**
 * The answer with Slack's control sequences made inert (nobody is called by a stream), without an end that could still
 * become one. Of two texts where one begins with the other, the results do the same: streams can only be appended to.
 */
export function streamText(markdown: string): string {
  const settled = markdown.replace(/<$/, '').replace(/[\uD800-\uDBFF]$/, '');
  return settled.replace(/<(?=[!@#])/g, '&lt;');
}

/** The first `limit` UTF-16 units of a text, never half of a surrogate pair. */
export function streamPiece(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const piece = text.slice(0, limit);
  return /[\uD800-\uDBFF]$/.test(piece) ? piece.slice(0, -1) : piece;
}
