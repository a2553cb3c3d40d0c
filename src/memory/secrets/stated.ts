// Passwords and keys that people say in a sentence (`my password is ...`) or a setting (`DB_PASSWORD=...`). Mere mentions are left alone.
import { isComplement, isSaidOfPasswords, unit } from './complements.ts';
import { isPlaceholder } from './mention.ts';
import type { SecretMatch } from './secret-match.ts';
import { aboutPattern, linkPattern } from './wording.ts';

const password =
  'pass[ -]?(?:word|phrase|code)|passwd|passwort|kennwort|pwd|contraseña|mot de passe|hasło|wachtwoord|senha|пароль|пароля|密码|パスワード|' +
  "parola d['’]ordine|parola d['’]accesso|palavra[- ]passe|adgangskode|lösenord|(?<![\\p{L}])mdp(?![\\p{L}])";
const key =
  '(?:api|access|secret|private|auth|account|signing|encryption)[ _-]?keys?|(?:access|auth|refresh|bot|api|app|session|client)[ _-]?(?:token|secret)|token|secret';
const seed = 'pass[ -]?phrase|(?:seed|recovery|secret)(?: recovery)? phrase|mnemonic';
const value =
  '(?<secret>"[^"\\n]{2,200}"|“[^”\\n]{2,200}”|„[^“\\n]{2,200}“|«[^»\\n]{2,200}»|\'[^\'\\n]{2,200}\'|`[^`\\n]{2,200}`|[^\\s"“«`]{3,200})';

const statedPassword = new RegExp(
  `(?<noun>${password})${aboutPattern}(?<link>${linkPattern})${value}`,
  'giu',
);
const statedKey = new RegExp(`(?<![\\p{L}])(?:${key})${aboutPattern}${linkPattern}${value}`, 'giu');
const statedSeed = new RegExp(
  `(?:${seed})${aboutPattern}${linkPattern}(?<secret>\\p{Ll}{3,}(?: \\p{Ll}{3,}){3,23})(?=[.!\\n]|$)`,
  'giu',
);
const anyNoun = new RegExp(`${password}|${key}|${seed}`, 'iu');
const quoted = /^["'“„«`]\s*([\s\S]*?)\s*["'”“»`]$/u;

/** Words of a sentence about a passphrase, which are in none. */
const plainTalk = new Set(
  'a an the to not very really too in on at of for and but or my your our that this so as it is was with'.split(
    ' ',
  ),
);

/** Every password or key that is stated in the text, in order of their rules. */
export function secretsStatedIn(text: string): SecretMatch[] {
  if (!anyNoun.test(text)) return [];
  const found: SecretMatch[] = [];
  for (const match of text.matchAll(statedPassword)) {
    const { secret = '', link: by = '' } = match.groups ?? {};
    const bare = bareOf(secret);
    const end = match.index + match[0].length;
    if (isPassword({ bare, by, isQuoted: quoted.test(secret), rest: text.slice(end - tailOf(secret, bare)) }))
      found.push(findingOf(match, { kind: 'password', secret, bare }));
  }
  for (const match of text.matchAll(statedKey)) {
    const { secret = '' } = match.groups ?? {};
    const bare = bareOf(secret);
    if (isKey(bare)) found.push(findingOf(match, { kind: 'api key', secret, bare }));
  }
  for (const match of text.matchAll(statedSeed)) {
    const { secret = '' } = match.groups ?? {};
    if (!secret.split(' ').some((word) => plainTalk.has(word)))
      found.push(findingOf(match, { kind: 'passphrase', secret, bare: secret }));
  }
  return found;
}

/** Without its quotes and without what ends the sentence; a `!` may belong to it. */
function bareOf(secret: string): string {
  return quoted.exec(secret)?.[1] ?? secret.replace(/[.,;:?)\]}>*_"']+$/, '');
}

function tailOf(secret: string, bare: string): number {
  return quoted.test(secret) ? 0 : secret.length - bare.length;
}

function findingOf(
  match: RegExpExecArray,
  { kind, secret, bare }: { kind: string; secret: string; bare: string },
): SecretMatch {
  const from = match.index + match[0].lastIndexOf(secret) + secret.indexOf(bare);
  return { kind, from, to: from + bare.length };
}

interface Stated {
  bare: string;
  /** What is between the noun and the value. */
  by: string;
  isQuoted: boolean;
  /** What follows the value. */
  rest: string;
}

function isPassword({ bare, by, isQuoted, rest }: Stated): boolean {
  const word = bare.toLowerCase();
  if (bare.length < 3 || isPlaceholder(bare) || /^(?:https?:|\/|\()/.test(bare)) return false;
  if (isSaidOfPasswords(bare)) return false;
  if (/^\d+$/.test(bare)) return bare.length >= 4 && !unit.test(rest);
  if (/^\d+[-a-z]*$/.test(bare) && unit.test(bare.replace(/^\d+/, ''))) return false;
  const isPlainWord = /^[\p{L}'’-]+$/u.test(bare) && !/\p{Ll}\p{Lu}/u.test(bare);
  if (!isPlainWord || isQuoted) return true;
  if (/\bto\b/i.test(by) || isComplement(bare, by) || /^[a-z]+['’]/.test(word)) return false;
  return bare.length >= 4 && /^\s*(?:$|[.,;!\n)]|(?:and|but|und|aber|y|et|mais|ed?|pero|mas)\b)/.test(rest);
}

/** A key is long and mixes letters and digits; what is shorter or a word is only spoken of. */
function isKey(bare: string): boolean {
  return (
    /^[\w.+/=~-]{12,200}$/.test(bare) &&
    /\d/.test(bare) &&
    /[A-Za-z]/.test(bare) &&
    !isPlaceholder(bare) &&
    !/^\d{4}-\d\d-\d\d/.test(bare)
  );
}
