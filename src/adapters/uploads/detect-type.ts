// What a file is by its bytes; what its sender calls it decides only between kinds of text.
import { extname } from 'node:path';
import { decodeText, maybeText } from '#base/files/decode-text.ts';
import { headOf } from './text-content.ts';

export interface Claim {
  name?: string | undefined;
  mime?: string | undefined;
}

/** `page`: a web page, where something else was announced; often a server's way to ask for a sign-in. */
export interface Sniffed {
  form: 'text' | 'page' | 'other';
  mime: string;
  /** Without a dot; undefined where the type has none of its own. */
  extension: string | undefined;
}

const textual =
  /^(text\/|application\/(.+\+)?(json|xml|yaml|toml|javascript|ecmascript|typescript|sql|x-(sh|yaml|ndjson|httpd-php|tex|ruby|python|perl|subrip))\b|image\/svg)/;
const textNames =
  /^\.(txt|md|markdown|rst|csv|tsv|log|json|jsonl|ndjson|ya?ml|toml|ini|conf|cfg|xml|svg|html?|css|m?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|pl|lua|sh|bash|zsh|ps1|sql|tex|srt|vtt|ics|vcf|diff|patch|env|eml)$/;
/** Kinds that are believed only from their bytes: without them a name or a header means nothing. */
const proven = /^(image|audio|video)\/|^application\/(pdf|zip|gzip|x-7z|x-rar|vnd\.openxml)/;
const page = /^\s*(<!--[\s\S]{0,2000}?-->\s*)*<(!doctype\s+html|html|head|body)[\s>]/i;
const namedLikePage = /^\.(x?html?|php|aspx?|mht)$/;

/**
 * Detects the type of the file at `path` from its bytes, compared with what the platform claims. Reads at most its head and what its
 * format's own index needs.
 */
export async function sniff(path: string, claim: Claim): Promise<Sniffed> {
  const declared = plainType(claim.mime ?? '');
  const ending = extname(claim.name ?? '').toLowerCase();
  const isDeclaredText = textual.test(declared) || textNames.test(ending);
  // loaded with the first file, as most starts see none: its parsers are a twentieth of all that is loaded
  const { fileTypeFromFile } = await import('file-type');
  // it throws at a file that begins as one of its formats and is none; one that cannot be opened fails below
  const found = await fileTypeFromFile(path).catch(() => undefined);
  if (found !== undefined && !/^(application\/xml|text\/)/.test(found.mime))
    return { form: 'other', mime: plainType(found.mime), extension: found.ext };
  const head = await headOf(path);
  const text = decodeText(head, isDeclaredText ? 'said to be text' : 'unknown');
  // text whose encoding is not clear: it is named as what it is, and not read
  if (text === undefined && isDeclaredText && maybeText(head))
    return { form: 'other', mime: textual.test(declared) ? declared : 'text/plain', extension: undefined };
  if (text === undefined) {
    const mime =
      declared === '' || proven.test(declared) || isDeclaredText ? 'application/octet-stream' : declared;
    return { form: 'other', mime, extension: undefined };
  }
  if (page.test(text)) {
    const expected = isDeclaredText || namedLikePage.test(ending) || (declared === '' && ending === '');
    return { form: expected ? 'text' : 'page', mime: 'text/html', extension: 'html' };
  }
  if (found !== undefined && !isDeclaredText) return { form: 'text', mime: found.mime, extension: found.ext };
  return { form: 'text', mime: textual.test(declared) ? declared : 'text/plain', extension: 'txt' };
}

/** A media type without its parameters. */
function plainType(mime: string): string {
  return mime.split(';')[0]?.trim().toLowerCase() ?? '';
}
