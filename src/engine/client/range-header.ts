// The header of an upload that continues one which was cut.

/** Says where the bytes that are sent begin, unless all of them are. */
export function rangeHeader({
  bytes,
  from = 0,
}: {
  bytes: Uint8Array;
  from?: number;
}): Record<string, string> {
  const { length } = bytes;
  return from === 0 ? {} : { 'content-range': `bytes ${from}-${length - 1}/${length}` };
}
