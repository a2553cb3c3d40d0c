// A number of bytes as people say it. Pure.

/** A size for people: `0 bytes`, `12 KiB`, `1.5 MiB`, with at most two significant digits below 10. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  if (kib < 1023.5) return `${round(kib)} KiB`;
  return `${round(kib / 1024)} MiB`;
}

function round(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0);
}
