// Secrets that are digits, recognized by the words around them: PINs, one-time codes, card numbers with their codes. Not passwords, and not numbers only.
import { unit } from './complements.ts';
import type { SecretMatch } from './secret-match.ts';
import { aboutPattern, linkPattern } from './wording.ts';

const quote = '["\'`*_«“„]*\\s*';
/** Ends where no digit, date, decimal or word continues. */
const end = '(?![\\p{L}\\p{N}_]|[-.,:/]\\d)';
const digits = `${quote}(?<secret>\\d{4,8})${end}`;
/** A code of a message: often in two halves. */
const sent = `${quote}(?<secret>\\d{3}[ -]\\d{3}|\\d{4,10}|(?=[A-Z-]*\\d)[A-Z\\d]{3,}(?:-[A-Z\\d]{3,})*)${end}`;
const coded = `${quote}(?<secret>\\d{4,10}|(?=[\\p{L}\\p{N}_!-]*\\d)(?=[\\d_!-]*\\p{L})[\\p{L}\\p{N}_!-]{4,40})${end}`;

const pinNoun = '(?<![\\p{L}\\p{N}])(?:PIN|PUK)(?:[ -]?(?:[Cc]ode|[Nn]ummer|[Nn]umber|[Nn]r\\.?|[Nn]o\\.?))?';
const forms: readonly { kind: string; gate: RegExp; pattern: RegExp }[] = [
  {
    kind: 'pin',
    gate: /P(?:IN|UK)/,
    pattern: new RegExp(`${pinNoun}${aboutPattern}(?:${linkPattern}|\\s+)${digits}`, 'gu'),
  },
  {
    kind: 'pin',
    gate: /p(?:in|uk)/i,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])p(?:in|uk)(?:[ -]?(?:code|number))?${aboutPattern}${linkPattern}${digits}`,
      'giu',
    ),
  },
  {
    kind: 'one-time code',
    gate: /TAN|OTP/,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:[a-z]?TAN|OTP)(?:[ -][Cc]ode)?(?:${linkPattern}|\\s+)${sent}`,
      'gu',
    ),
  },
  {
    kind: 'one-time code',
    gate: /code/i,
    // other codes (of a door, a booking, a country) are what people want to be reminded of
    pattern: new RegExp(
      `(?<![\\p{L}])(?:verification|one[- ]time|log-?in|sign-?in|security|recovery|backup|2fa|mfa|otp|authenticat(?:ion|or)|bestätigungs|sicherheits|einmal)[ -]?code${aboutPattern}${linkPattern}${sent}`,
      'giu',
    ),
  },
  {
    kind: 'code',
    gate: /code/i,
    pattern: new RegExp(
      `(?<![\\p{L}])(?:le|mon|ton|son|notre|votre)\\s+code(?:\\s+(?:secret|confidentiel|personnel|bancaire|wi-?fi|d['’](?:acc[eè]s|entrée|activation|authentification)|de\\s+(?:sécurité|vérification|confirmation|(?:m|t|s|l)a\\s+(?:carte|porte|boîte)|l['’](?:alarme|immeuble|entrée))|du\\s+(?:wi-?fi|portail|coffre|cadenas|téléphone|compte)))?${linkPattern}${coded}`,
      'giu',
    ),
  },
  {
    kind: 'code',
    gate: /codice|parola/i,
    pattern: new RegExp(
      `(?<![\\p{L}])(?:(?:il|mio|tuo|suo|nostro|vostro)\\s+codice|(?:la|mia|tua)\\s+parola chiave)(?:\\s+(?:segreto|personale|wi-?fi|d['’]accesso|di\\s+(?:accesso|sicurezza|verifica|conferma)|del(?:la|lo|l['’])?\\s*(?:carta|porta|cancello|telefono|allarme|cassaforte|wi-?fi)))?${linkPattern}${coded}`,
      'giu',
    ),
  },
  {
    kind: 'code',
    gate: /clave|c[óo]digo/i,
    pattern: new RegExp(
      `(?<![\\p{L}])(?:la|mi|tu|su|el|o|meu|seu)\\s+(?:clave|c[óo]digo)(?:\\s+(?:secret[oa]|personal|pessoal|wi-?fi|de\\s+(?:acceso|acesso|seguridad|segurança|verificación|verificação|la\\s+(?:tarjeta|puerta|alarma))|d[eo]l?\\s+(?:wi-?fi|cartão|portón|teléfono)))?${linkPattern}${coded}`,
      'giu',
    ),
  },
  {
    kind: 'code',
    gate: /code/i,
    pattern: new RegExp(
      `(?<![\\p{L}])(?:der|mein|dein|sein|ihr|unser)\\s+(?:zugangs|zutritts|geheim|sicherheits)?-?code${aboutPattern}${linkPattern}${coded}`,
      'giu',
    ),
  },
];

/** Thirteen to nineteen digits, in groups or at one piece. */
const cardNumber =
  /(?<![\p{L}\p{N}.+-])(?:\d{4}[ -]?){3}\d{1,7}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.+-])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\p{L}\p{N}])/gu;
const issuers = /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01])|3[47]|35|30[0-5]|36|38|6(?:011|4[4-9]|5))/;
/** What each of them begins with. */
const cardGate = /\d{4}[ -]?\d{4}/;
const grouped = /^\d{4}([ -])\d{4}\1\d{4}\1\d{4}$|^\d{4}([ -])\d{6}\2\d{5}$/;
const cardWords = /card|karte|carte|carta|tarjeta|cartão|visa|master|amex|american express|maestro|cv[cv]/i;
const codeNoun =
  '(?:cv[cv]2?|csc|security code|card code|prüf(?:ziffer|nummer)|kartenprüfnummer|cryptogramme|code de sécurité|codice di sicurezza|código de seguridad|código de segurança)';
const cardCode = new RegExp(
  `(?<![\\p{L}])${codeNoun}${aboutPattern}(?:${linkPattern}|\\s+)${quote}(?<secret>\\d{3,4})${end}`,
  'giu',
);
const [alwaysCode, alwaysGate] = [/^cv[cv]/i, /cv[cv]/i];
/** An expiry date and the code, without words between, right behind the number. */
const behind =
  /^[\s,;|/-]+(?:(?:exp\.?|valid|gültig|bis|until|fin)?[\s:]*(?:0[1-9]|1[0-2])[/-](?:20)?\d\d[\s,;|/-]+)?(?<secret>\d{3,4})(?=\s*(?:$|[.;!)\n]))/iu;
const cardContext = 60;

/** Every such secret in the text, in order of their rules; some may overlap. */
export function codesIn(text: string): SecretMatch[] {
  if (!/\d/.test(text)) return [];
  const found: SecretMatch[] = cardsIn(text);
  for (const { kind, gate, pattern } of forms) {
    if (!gate.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const finding = secretOf(match, kind);
      if (finding !== undefined && !unit.test(text.slice(finding.to))) found.push(finding);
    }
  }
  return found;
}

function cardsIn(text: string): SecretMatch[] {
  const found: SecretMatch[] = [];
  for (const match of cardGate.test(text) ? text.matchAll(cardNumber) : []) {
    const [number] = match;
    const at = match.index;
    const after = text.slice(at + number.length);
    const near = text.slice(Math.max(0, at - cardContext), at) + after.slice(0, cardContext);
    if (!isCardNumber(number) || !(grouped.test(number) || cardWords.test(near))) continue;
    found.push({ kind: 'card number', from: at, to: at + number.length });
    const code = behind.exec(after);
    const secret = code?.groups?.secret;
    if (code === null || secret === undefined) continue;
    const to = at + number.length + code[0].length;
    found.push({ kind: 'card code', from: to - secret.length, to });
  }
  const hasCard = found.length > 0;
  for (const match of hasCard || alwaysGate.test(text) ? text.matchAll(cardCode) : []) {
    const finding = hasCard || alwaysCode.test(match[0]) ? secretOf(match, 'card code') : undefined;
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

function secretOf(match: RegExpExecArray, kind: string): SecretMatch | undefined {
  const secret = match.groups?.secret;
  if (secret === undefined) return undefined;
  const from = match.index + match[0].lastIndexOf(secret);
  return { kind, from, to: from + secret.length };
}

/** Of an issuer's range, with the right last digit (Luhn). */
function isCardNumber(written: string): boolean {
  const number = written.replace(/\D/g, '');
  if (number.length < 13 || number.length > 19 || !issuers.test(number)) return false;
  const sum = [...number].reverse().reduce((total, sign, index) => {
    const digit = Number(sign) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
