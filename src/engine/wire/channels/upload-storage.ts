// Where an engine keeps files of channels that run in another process, as its HTTP face needs it. Promises only.

export interface UploadStorage {
  /** Whether the file at this path has that content; `sha256` in hexadecimal. */
  holds(path: string, sha256: string): Promise<boolean>;
  /** How many bytes of a file with this content came before their connection was cut. */
  begun(sha256: string): Promise<number>;
  /**
   * Stores the bytes, of which those before `from` came earlier, and resolves with their path: the requested one, or one next to it when another content lies
   * there. The same bytes again give the same path. ParleyErrors `file_too_large`, `file_empty`, `file_damaged`
   * for another content than `sha256` names, and `file_range` when not so much came earlier, leave nothing behind.
   */
  take(
    path: string,
    file: { stream: ReadableStream<Uint8Array>; sha256: string; from?: number },
    signal: AbortSignal,
  ): Promise<string>;
}
