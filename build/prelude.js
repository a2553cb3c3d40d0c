// What runs first in the program in `dist`, and in each of its threads.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

// Node does not warn of what installed packages do; here their code is not in `node_modules`. Warnings of Parley's own code are seen by
// tests and by `--source`, which run the modules of `src`.
process.noDeprecation = true;

const folder = new URL('./', import.meta.url).href;
const maps = new Map();

/**
 * A stack that names files and lines of sources. A map is read when an error of its file is printed; `--enable-source-maps` reads all of
 * them at the start, which takes 50 ms.
 */
Error.prepareStackTrace = (error, sites) =>
  [headOf(error), ...sites.map((site) => `    at ${inSource(site)}`)].join('\n');

function headOf(error) {
  try {
    const text = Error.prototype.toString.call(error);
    // as Node itself says its codes
    const { name, code } = error;
    return typeof code === 'string' && code.startsWith('ERR_')
      ? text.replace(name, () => `${name} [${code}]`)
      : text;
  } catch {
    return 'Error';
  }
}

function inSource(site) {
  const text = String(site);
  try {
    const file = site.getFileName();
    if (!file?.startsWith(folder)) return text;
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
    const entry = mapOf(file)?.findEntry(line - 1, column - 1);
    if (entry?.originalSource === undefined || entry.generatedLine !== line - 1) return text;
    const { href } = new URL(entry.originalSource, file);
    return text.replace(`${file}:${line}:${column}`, () => `${href}:${entry.originalLine + 1}`);
  } catch {
    return text; // the stack as it is says more than an error about it
  }
}

function mapOf(file) {
  if (!maps.has(file)) {
    maps.set(file, undefined);
    maps.set(file, new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8'))));
  }
  return maps.get(file);
}
