// Secrets as they stand in what operators paste: settings by the name of a key, options of commands, headers, addresses, our own tokens.
import { isPlaceholder } from './mention.ts';
import { programForms, value } from './programs.ts';
import type { SecretForm, SecretMatch } from './secret-match.ts';

/** What stands by itself, whatever program reads it. */
const settings: readonly SecretForm[] = [
  {
    kind: 'api key',
    gate: /(?:KEY|SECRET|TOKEN|SALT|CREDENTIALS?)(?:_BASE)?["']?\s*[=:]/i,
    pattern:
      /(?<![\p{L}\p{N}])(?!PUBLIC|\w+_PUBLIC_)[A-Z][A-Z0-9_]*(?:KEY|SECRET|TOKEN|SALT|CREDENTIALS?)(?:_BASE)?["']?[ \t]*[=:][ \t]*(?:"(?<secret>[^"\n]{12,300})"|'(?<secret>[^'\n]{12,300})'|(?<secret>[^\s"',;|&<>]{12,300}))/gu,
    isMixed: true,
  },
  {
    kind: 'password',
    gate: /PASS|PWD/,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])[A-Z0-9_]*(?:PASS(?:WORD|WD|PHRASE)?|PWD)["']?[ \\t]*=[ \\t]*${value}`,
      'gu',
    ),
  },
  {
    kind: 'api key',
    gate: /(?:secret_key|master_key|encryption_key|signing_key|jwt_secret)/,
    pattern:
      /(?<![\p{L}\p{N}])(?:[a-z]+_)*(?:secret_key(?:_base)?|master_key|encryption_key|signing_key|jwt_secret)["']?[ \t]*[=:][ \t]*["']?(?<secret>[^\s"',;|&<>]{12,300})/gu,
    isMixed: true,
  },
  {
    kind: 'password',
    gate: /_pass(?:word|wd)?\b/,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])[a-z][a-z0-9_]*_pass(?:word|wd)?["']?[ \\t]*[=:][ \\t]*${value}`,
      'gu',
    ),
  },
  {
    kind: 'password',
    gate: /identified by|with password/i,
    pattern:
      /\b(?:identified by|with(?: encrypted)? password)\s+(?:"(?<secret>[^"\n]{3,300})"|'(?<secret>[^'\n]{3,300})')/giu,
  },
  {
    kind: 'cookie',
    gate: /cookie["']?\s*:/i,
    pattern:
      /\b(?:set-)?cookie["']?\s*:\s*["']?[\w.-]+=(?<secret>[^\s"';]{8,2000}(?:;\s*[\w.-]+=[^\s"';]{8,2000})*)/giu,
    isMixed: true,
  },
  {
    kind: 'password',
    gate: /--[\w-]*(?:pass|token|secret|api-?key)/i,
    pattern: new RegExp(
      `(?<![\\w-])--[\\w-]*(?:pass(?:word|wd|phrase)?|token|secret|api-?key)(?:=|[ ]+(?!-))${value}`,
      'giu',
    ),
  },
  {
    kind: 'authorization',
    gate: /authorization|cookie/i,
    pattern:
      /\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|token|apikey|digest|negotiate|key)\s+)?(?<secret>[\w.~+/=-]{8,2000})/giu,
  },
  {
    kind: 'password',
    gate: /:\/\/[^\s/]*@/,
    pattern: /:\/\/(?<secret>[^\s/:@'"<>]{16,300})@/gu,
    isMixed: true,
  },
  {
    kind: 'password',
    gate: /password\s/,
    // a netrc file; "default" and "machine" are also words of a sentence, which has no login or host there
    pattern: new RegExp(
      `\\b(?:machine\\s+(?:[\\w-]+(?:\\.[\\w-]+)+|localhost)(?:\\s+login\\s+\\S{1,200})?|(?:machine\\s+\\S{1,200}|default)\\s+login\\s+\\S{1,200})(?:\\s+account\\s+\\S{1,200})?\\s+password\\s+${value}`,
      'gu',
    ),
  },
  {
    kind: 'npm token',
    gate: /_(?:authToken|auth|password)\s*=|npmAuth(?:Token|Ident)/,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:_(?:authToken|auth|password)["']?[ \\t]*=|npmAuth(?:Token|Ident)["']?[ \\t]*:)[ \\t]*${value}`,
      'gu',
    ),
  },
  {
    kind: 'password',
    gate: /\bpass(?:word|wd|phrase)?=/,
    pattern:
      /(?<![\p{L}\p{N}_-])pass(?:word|wd|phrase)?=(?:"(?<secret>[^"\n]{3,300})"|'(?<secret>[^'\n]{3,300})'|(?<secret>[^\s"'|;&<>,]{3,300}))/gu,
  },
  { kind: 'parley token', gate: /parley_/, pattern: /(?<![\w-])(?<secret>parley_[\w-]{20,})/gu },
];

const forms: readonly SecretForm[] = [...settings, ...programForms];

/** What people write where the secret would stand. */
const blanks =
  /^(?:pass(?:word|wd)?|pwd|secret|token|key|user(?:name)?|string|true|false|null|none|undefined|required|prompt|stdin)$/i;

/** `--token TOKEN`: the name of what stands there. */
const namedBlank = /^[A-Z][A-Z_]*$/;

/** A scheme of a header by itself: what follows was masked as something else. */
const schemes = /^(?:basic|bearer|token|apikey|digest|negotiate)$/i;

/** `Basic` with a login behind it, wherever it stands. */
const basic = /\bbasic\s+(?<secret>[A-Za-z0-9+/]{8,}={0,2})(?![\w+/=])/giu;

/** Every such secret in the text, in order of their rules; some may overlap. */
export function commandSecretsIn(text: string): SecretMatch[] {
  const found = forms.flatMap(({ kind, gate, pattern, isMixed }) =>
    gate.test(text) ? matchesOf(text, { kind, pattern, isMixed }) : [],
  );
  if (!/basic\s/i.test(text)) return found;
  const logins = matchesOf(text, { kind: 'authorization', pattern: basic }).filter(({ from, to }) =>
    /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(text.slice(from, to), 'base64').toString('latin1')),
  );
  return [...found, ...logins];
}

function matchesOf(
  text: string,
  { kind, pattern, isMixed }: { kind: string; pattern: RegExp; isMixed?: true | undefined },
): SecretMatch[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const secret = (match.groups?.secret ?? '').replace(/[.,;:)\]}]+$/, '');
    if (secret.length < 3 || isPlaceholder(secret) || schemes.test(secret)) return [];
    if (blanks.test(secret) || namedBlank.test(secret)) return [];
    if (isMixed && !(/\d/.test(secret) && /[A-Za-z]/.test(secret))) return [];
    const from = match.index + match[0].lastIndexOf(secret);
    return [{ kind, from, to: from + secret.length }];
  });
}
