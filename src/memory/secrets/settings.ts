// Secrets as they stand in settings, headers, addresses and the files of programs: by the name in front of them. One table.
import { value } from './programs.ts';
import type { SecretForm } from './secret-match.ts';

/** What stands by itself, whatever program reads it. */
export const settingForms: readonly SecretForm[] = [
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
    gate: /identified\s|\spassword\s/i,
    pattern:
      /\b(?:identified(?:\s+with\s+\S{1,60})?\s+(?:by|as)|(?:user|role|with|encrypted|valid)\b[^\n;'"]{0,200}?\s(?:encrypted\s+)?password)\s+(?:"(?<secret>[^"\n]{3,300})"|'(?<secret>[^'\n]{3,300})')/giu,
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
  {
    kind: 'azure key',
    gate: /(?:Account|Access)Key=/,
    pattern: /(?<![A-Za-z])(?:Account|SharedAccess|Access)Key=(?<secret>[\w+/=%-]{20,200})/gu,
    isMixed: true,
  },
  {
    kind: 'signature',
    // an address with it opens what it points to, for everyone
    gate: /[?&](?:sig|X-Amz-(?:Signature|Security-Token)|X-Goog-Signature|Signature)=/i,
    pattern:
      /[?&](?:sig|X-Amz-(?:Signature|Security-Token)|X-Goog-Signature|Signature)=(?<secret>[\w+/=%~.-]{20,4000})/giu,
    isMixed: true,
  },
  {
    kind: 'webhook',
    gate: /webhook\.office\.com|hooks\.zapier\.com|hook\.\w{2,4}\d?\.make\.com|logic\.azure\.com/,
    pattern:
      /(?<=:\/\/[\w.-]{0,100}(?:webhook\.office\.com|hooks\.zapier\.com|hook\.\w{2,4}\d?\.make\.com)\/)(?<secret>[\w/@%.-]{12,500})/gu,
    isMixed: true,
  },
  {
    kind: 'one time secret',
    gate: /otpauth(?:-migration)?:\/\//,
    pattern: /otpauth(?:-migration)?:\/\/[^\s"']{0,300}?[?&](?:secret|data)=(?<secret>[\w%+/=]{8,2000})/gu,
  },
  {
    kind: 'private key',
    gate: /(?:PrivateKey|PresharedKey|private_key|preshared_key)\s*=|(?:client-key|private-key)-data|Private-Lines/,
    pattern:
      /(?:(?<![A-Za-z])(?:PrivateKey|PresharedKey|private_key|preshared_key)[ \t]*=[ \t]*|\bprivate-key-data["']?:\s*["']?|\bclient-key-data["']?:\s*["']?|Private-Lines: \d{1,4}\r?\n)(?<secret>[A-Za-z0-9+/]{40}(?:[A-Za-z0-9+/]|\r?\n(?=[A-Za-z0-9+/]{20}))*={0,2})/gu,
  },
  {
    kind: 'password',
    // a line of `.pgpass`
    gate: /:(?:\d{4,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:/,
    pattern:
      /(?<=^|\s)(?=[\w.-]*[a-z]|\*)[\w.*-]{1,200}:(?:\d{4,5}|\*):[^:\s/]{1,60}:[^:\s/]{1,60}:(?<secret>[^\s]{3,200})/gu,
  },
  {
    kind: 'authorization',
    // of a docker config, also in one line
    gate: /"auth"\s*:/,
    pattern: /"(?:auth|identitytoken|registrytoken)"\s*:\s*"(?<secret>[\w+/=.-]{8,4000})"/gu,
  },
  {
    kind: 'password',
    gate: /<[\w:.-]*(?:password|passphrase|passwd|secret|token|api-?key)>/i,
    pattern:
      /<(?<tag>[\w:.-]*(?:password|passphrase|passwd|secret|token|api-?key))>\s*(?<secret>[^<>\n]{3,300}?)\s*<\/\k<tag>>/giu,
  },
  {
    kind: 'password',
    gate: /(?:key|name)="[\w:.-]*(?:password|secret|token|api-?key)"/i,
    pattern:
      /(?:key|name)="[\w:.-]*(?:password|secret|token|api-?key)"\s+value="(?<secret>[^"\n]{3,300})"/giu,
  },
  {
    kind: 'password hash',
    gate: /\$(?:2[abxy]|[156y]|apr1|argon2(?:id|i|d)|pbkdf2[\w-]*)\$/,
    pattern:
      /\$(?<secret>(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:[156y]|apr1)\$[^\s:]{1,200}\$[./A-Za-z0-9]{22,86}|(?:argon2(?:id|i|d)|pbkdf2[\w-]{0,12})\$[\w+/=,.$-]{30,300}))/gu,
  },
  {
    kind: 'password',
    gate: /(?:requirepass|masterauth|sentinel auth-pass|AUTH|SETUSER)\s/,
    pattern: new RegExp(
      `(?:(?<=^|\\n)[ \\t]*(?:requirepass|masterauth|sentinel auth-pass \\S{1,100})[ \\t]+|(?<=^|\\n|> )AUTH[ \\t]+(?:\\S{1,100}[ \\t]+)?|\\bSETUSER[ \\t][^\\n]{0,200}?[ \\t]>)${value}(?=[ \\t]*$|[ \\t]*\\n|[ \\t][~+@&>])`,
      'gu',
    ),
    isMixed: true,
  },
  {
    kind: 'password',
    // of a router or a switch
    gate: /(?:enable|username\s\S{1,60}.{0,60})\s(?:secret|password)\s|snmp-server community/,
    pattern: new RegExp(
      `(?:\\benable[ \\t]+(?:secret|password)(?:[ \\t]+(?:level[ \\t]+)?\\d{1,2})?|\\busername[ \\t]+\\S{1,60}(?:[ \\t]+privilege[ \\t]+\\d{1,2})?[ \\t]+(?:secret|password)(?:[ \\t]+\\d)?|\\bsnmp-server community)[ \\t]+${value}`,
      'gu',
    ),
    isMixed: true,
  },
  {
    kind: 'password',
    gate: /\bpsk\s*=/,
    pattern: new RegExp(`(?<![\\w-])psk[ \\t]*=[ \\t]*${value}`, 'gu'),
  },
  {
    kind: 'password',
    // of PowerShell and the programs that name their options as it does
    gate: /\s-(?:Password|AccessKey|SecretKey|ApiKey|Token|pw)\s|ConvertTo-SecureString/,
    pattern: new RegExp(
      `(?:(?<=\\s)-(?:Password|AccessKey|SecretKey|ApiKey|Token|pw)[ \\t]+(?![-$(])|\\bConvertTo-SecureString[ \\t]+(?:-String[ \\t]+)?(?![-$(]))${value}`,
      'gu',
    ),
  },
  {
    kind: 'password',
    gate: /\bauth\(\s*["']/,
    pattern:
      /\.auth\(\s*(?:"[^"\n]{1,100}"|'[^'\n]{1,100}')\s*,\s*(?:"(?<secret>[^"\n]{3,300})"|'(?<secret>[^'\n]{3,300})')/gu,
  },
  {
    kind: 'ansible vault',
    gate: /\$ANSIBLE_VAULT;/,
    pattern: /\$ANSIBLE_VAULT;[\w.;-]{3,60}\s+(?<secret>(?:[a-f0-9]{20,}\s*)+)/gu,
  },
  {
    kind: 'api key',
    // `signingSecret: "…"`, `consumerSecret => '…'`, `Ocp-Apim-Subscription-Key: …`
    gate: /[a-z](?:Key|Secret|Token|-Key|-Token|-Secret)["']?\s*[:=]/,
    pattern:
      /(?<![\p{L}\p{N}])(?!public|Public)[A-Za-z][A-Za-z-]{0,60}[a-z-](?:Key|Secret|Token)["']?[ \t]*(?:=>|[:=])[ \t]*["']?(?<secret>[\w.+/=~-]{16,300})(?![\w(])/gu,
    isMixed: true,
  },
  {
    kind: 'password',
    gate: /_(?:PASS|PWD)[A-Z]*["']?\s*:|\b(?:pass|pw)\s*:/i,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}_-])(?:[A-Z0-9_]{1,60}_(?:PASS(?:WORD|WD|PHRASE)?|PWD)|[Pp]ass|[Pp][Ww]|PASS)["']?[ \\t]*:[ \\t]*${value}`,
      'gu',
    ),
    isMixed: true,
  },
  {
    kind: 'cookie',
    gate: /(?:sess(?:ion)?_?id|connect\.sid|ASP\.NET_SessionId)=/i,
    pattern:
      /(?<![\w-])(?:(?:php|j|asp\.net_)?sess(?:ion)?_?id|connect\.sid)=(?<secret>[\w.%+/=~-]{16,400})/giu,
    isMixed: true,
  },
];
