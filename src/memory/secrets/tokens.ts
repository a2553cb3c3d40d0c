// Tokens that are known by their form alone, besides those that secretlint's rules know.
import { issuersKeysIn } from './issuers.ts';
import { isPlaceholder } from './mention.ts';
import type { SecretMatch } from './secret-match.ts';

interface TokenForm {
  kind: string;
  /** With `g`; a group `secret` narrows what is masked. */
  pattern: RegExp;
}

/** Issuers' documented forms; where secretlint knows only whole keys, these take what is left of a torn one too. */
const forms: readonly TokenForm[] = [
  { kind: 'discord token', pattern: /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])/g },
  { kind: 'telegram token', pattern: /(?<!\d)\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: 'slack token', pattern: /(?<![\w-])(?:xox[a-z]|xapp)(?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/g },
  {
    kind: 'slack webhook',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,}/g,
  },
  {
    kind: 'discord webhook',
    pattern: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{15,20}\/[\w-]{40,}/g,
  },
  { kind: 'anthropic key', pattern: /(?<![\w-])sk-ant-[\w-]{16,}/g },
  { kind: 'openai key', pattern: /(?<![\w-])sk-(?:proj|svcacct|admin|None|or-v1)-[\w-]{16,}/g },
  { kind: 'api key', pattern: /(?<![\w-])sk-(?=[A-Za-z]*\d)[A-Za-z0-9]{24,}/g },
  {
    kind: 'stripe key',
    pattern: /(?<![\w-])(?:sk|rk|whsec)_(?:live_|test_)?(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}/g,
  },
  { kind: 'aws key', pattern: /\b(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'google key', pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])|(?<![\w-])GOCSPX-[\w-]{24,}/g },
  { kind: 'github token', pattern: /(?<!\w)(?:gh[pousr]_\w{30,}|github_pat_\w{30,})/g },
  { kind: 'gitlab token', pattern: /(?<![\w-])gl(?:pat|dt|rt|cbt|ptt)-[\w-]{20,}/g },
  { kind: 'npm token', pattern: /(?<!\w)npm_[A-Za-z0-9]{30,}/g },
  { kind: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]{10,})?/g },
  { kind: 'bearer token', pattern: /\b[Bb]earer\s+(?<secret>(?=[A-Za-z._~+/=-]*\d)[\w.~+/=-]{20,})/g },
  {
    kind: 'private key',
    // also one that was cut off before its end
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?:\s|\\n|[A-Za-z0-9+/=:,-])*)/g,
  },
  // the name and the host of an address say where, its password must not be said
  {
    kind: 'password',
    pattern: /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@'"[]{0,100}:(?<secret>[^\s/@'"]{3,200})@/gi,
  },
];

/** What people write where the password of an address would stand. */
const usualBlanks = /^(?:pass(?:word|wd)?|pwd|secret|token|key|user(?:name)?|root|admin|test|guest)$/i;

/** Forty characters of base64: only their surroundings say that they are a secret access key of AWS. */
const awsSecret = /(?<![\w/+=-])[A-Za-z\d/+]{40}(?![\w/+=-])/g;
const awsContext = /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\baws|amazon|secret[ _-]?access[ _-]?key/i;
const awsContextChars = 200;

function awsSecretsIn(text: string): SecretMatch[] {
  return [...text.matchAll(awsSecret)].flatMap(({ 0: secret, index: from }) => {
    const to = from + secret.length;
    const isMixed = /\d/.test(secret) && /[A-Z][^A-Z]*[A-Z]/.test(secret) && /[a-z][^a-z]*[a-z]/.test(secret);
    const around =
      text.slice(Math.max(0, from - awsContextChars), from) + text.slice(to, to + awsContextChars);
    return isMixed && !isPlaceholder(secret) && awsContext.test(around)
      ? [{ kind: 'aws secret', from, to }]
      : [];
  });
}

/** Every token in the text, in no order; some may overlap. */
export function tokensIn(text: string): SecretMatch[] {
  return [...formsIn(text), ...issuersKeysIn(text), ...awsSecretsIn(text)];
}

function formsIn(text: string): SecretMatch[] {
  return forms.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const secret = match.groups?.secret ?? match[0];
      if (kind !== 'jwt' && kind !== 'private key' && isPlaceholder(secret)) return [];
      if (kind === 'password' && usualBlanks.test(secret)) return [];
      const from = match.index + match[0].lastIndexOf(secret);
      return [{ kind, from, to: from + secret.length }];
    }),
  );
}
