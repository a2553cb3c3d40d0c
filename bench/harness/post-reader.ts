// The next whole POST among the bytes of a connection: what a network that delivers twice would deliver again. Not its meaning.

export interface PostReader {
  /** Takes what came next; 'whole' when a POST ended with it. Bytes of other requests are passed over. */
  take(bytes: Buffer): 'whole' | undefined;
  /** The POST, its head and its body. */
  bytes(): Buffer;
}

const headEnd = '\r\n\r\n';

/** A reader that waits for the beginning of a request. Only bodies of a stated length are read. */
export function createPostReader(): PostReader {
  let saved = Buffer.alloc(0);
  return {
    take(bytes) {
      // a request begins with its own piece, since none is sent before the last one was answered
      if (saved.length === 0 && !/^POST \S+ HTTP\/1\.1\r\n/.test(bytes.subarray(0, 2_000).toString('latin1')))
        return undefined;
      saved = Buffer.concat([saved, bytes]);
      const end = saved.indexOf(headEnd);
      if (end < 0) return undefined;
      const length = /^content-length: *(\d+)\r?$/im.exec(saved.subarray(0, end).toString('latin1'))?.[1];
      if (length !== undefined && saved.length === end + headEnd.length + Number(length)) return 'whole';
      if (length === undefined || saved.length > end + headEnd.length + Number(length))
        saved = Buffer.alloc(0);
      return undefined;
    },
    bytes: () => saved,
  };
}
