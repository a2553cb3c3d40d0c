// What models make that is no text: speech and pictures, for those who ask and those who make.

export interface Media {
  bytes: Uint8Array;
  mediaType: string;
}

/** What is drawn, and its pixels. */
export interface Picture {
  prompt: string;
  size: `${number}x${number}`;
}

/** Characters of one speech: providers take 4,096. */
export const maxSpoken = 4_000;

/** Each is absent where no model for it is configured. A failure throws a ParleyError `media_failed` with a sentence. */
export interface MediaCalls {
  /** Speaks a text of at most `maxSpoken` characters. */
  speak?: ((text: string, signal: AbortSignal) => Promise<Media>) | undefined;
  draw?: ((picture: Picture, signal: AbortSignal) => Promise<Media>) | undefined;
}
