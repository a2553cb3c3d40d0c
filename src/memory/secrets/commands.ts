// Secrets as they stand in what operators paste: by the forms of settings and of programs; and logins of headers.
import { isPlaceholder } from './mention.ts';
import { programForms } from './programs.ts';
import type { SecretForm, SecretMatch } from './secret-match.ts';
import { settingForms } from './settings.ts';

const forms: readonly SecretForm[] = [...settingForms, ...programForms];

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
