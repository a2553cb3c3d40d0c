// Programs that are given a secret on their command line: behind which option, at which place, or through which pipe. One table.
import type { SecretForm } from './secret-match.ts';

/** A value, in quotes or up to the next space. */
export const value = `(?:"(?<secret>[^"\\n]{3,300})"|'(?<secret>[^'\\n]{3,300})'|(?<secret>[^\\s"'|;&<>]{3,300}))`;
/** What stands between a program and its option, also on further lines that a backslash joins. */
const between = '(?:\\\\\\n|[^\\n|;]){0,400}';
/** One word of a command, in quotes or not. */
const word = `(?:"[^"\\n]{0,200}"|'[^'\\n]{0,200}'|[^\\s"'|;&<>]{1,200})`;
/** Where a command ends. */
const end = '(?=[ \\t]*(?:$|[\\n|;&>)`"\']))';

/** One way in which a program is given its secret; patterns, as the names are. */
interface Program {
  names: string;
  /** Options, each with its value behind a space or `=`, or without either. */
  options?: string;
  /** Options whose value stands behind a space: what follows without one belongs to another option. */
  spaced?: string;
  /** Options whose value follows at once: without one the program asks for it. */
  glued?: string;
  /** Options with a login, and the sign between its name and its secret. */
  login?: readonly [options: string, sign: string];
  /** What stands in front of the secret, anywhere in the command. */
  after?: string;
  /** The same, directly behind the program. */
  next?: string;
  /** With it the command ends: people also write the words in a sentence. */
  isLast?: true;
  /** Only what mixes letters and digits is one: the same. */
  isMixed?: true;
}

const loginTools =
  '(?:docker|podman|buildah|skopeo|nerdctl|helm registry|oras|regctl registry|az|az acr|cf|oc|rancher) login';
/** Options of `htpasswd`, of which some have a number. */
const flags = '(?:\\s+-\\w{1,9}(?:\\s+\\d+)?)';
const withFlag = (letter: string): string => `${flags}{0,4}\\s+-\\w{0,8}${letter}`;

const programs: readonly Program[] = [
  { names: '(?:mysql|mariadb)[a-z-]*', glued: '-p' },
  { names: '(?:mysql|mariadb)-?admin', after: '\\spassword\\s+', isLast: true },
  { names: '(?:7z[a-z]?|rar|unrar)', glued: '-h?p' },
  { names: '(?:zip|unzip|zipcloak|zipnote)', spaced: '-[A-Za-z]{0,5}P' },
  { names: 'sshpass', options: '-p' },
  { names: 'mongo(?:sh|dump|restore|export|import|stat|top)?', options: '-p' },
  { names: loginTools, options: '-p' },
  { names: 'ldap[a-z]+', options: '-w' },
  { names: 'ldappasswd', options: '-[as]' },
  { names: '(?:sqlcmd|bcp|osql|isql)', options: '-P' },
  { names: 'mosquitto_(?:pub|sub|rr)', options: '-P' },
  { names: '(?:redis|valkey|keydb)-cli', options: '-a' },
  { names: '(?:ipmitool|tsql)', options: '-P' },
  { names: 'snmp[a-z]+', options: '-[AX]' },
  { names: '(?:psexec|rdesktop|ncftp[a-z]*)', options: '-p' },
  { names: '(?:useradd|usermod|groupadd)', spaced: '-p' },
  { names: '(?:keytool|jarsigner)', spaced: '-(?:store|key|new|src|dest)[a-z]{0,8}pass' },
  { names: 'openssl', spaced: '-[kK]' },
  { names: 'openssl', after: '\\s-pass(?:in|out)?\\s+pass:' },
  { names: '[xw]freerdp[\\d.]*', after: '\\s/p:' },
  { names: 'cmdkey', after: '\\s/pass:' },
  {
    names: '(?:curl|wget|https?|httpie|xh|aria2c)',
    login: ['(?:-[A-Za-z]{0,6}u|--user|-U|--proxy-user|-a|--auth)', ':'],
  },
  { names: '(?:smb[a-z]+|rpcclient|winexe|wmic|net (?:ads|rpc))', login: ['(?:-U|--user)', '%'] },
  { names: 'lftp', login: ['(?:-u|--user)', ','] },
  { names: 'vault login', next: '(?:\\s+-\\S{1,100}){0,5}\\s+(?:token=)?(?!-)', isMixed: true },
  { names: 'rclone', after: '\\sobscure\\s+(?!-)', isLast: true },
  { names: 'rclone config', after: '\\s(?:pass|password)[ =]+' },
  { names: 'htpasswd', next: `(?=${withFlag('n')})(?=${withFlag('b')})${flags}{1,5}\\s+${word}\\s+` },
  {
    names: 'htpasswd',
    next: `(?!${withFlag('n')})(?=${withFlag('b')})${flags}{1,5}\\s+${word}\\s+${word}\\s+`,
  },
  { names: 'net use', after: '\\s/user:\\S{1,200}\\s+(?!/)' },
  { names: 'net use', next: `(?:\\s+${word}){1,2}\\s+(?!/)(?=\\S{1,200}\\s+/user:)` },
  { names: 'net user', next: `\\s+${word}\\s+(?!/)(?=\\S{1,200}\\s+/)` },
  { names: '(?:nmcli|iwctl)', after: '\\s(?:password|passphrase)\\s+' },
  { names: 'wpa_passphrase', next: `\\s+${word}\\s+`, isLast: true },
  { names: '(?:evil-winrm|crackmapexec|netexec|nxc)', options: '-p' },
  {
    names: '(?:impacket-)?(?:psexec|wmiexec|smbexec|secretsdump|mssqlclient)(?:\\.py)?',
    next: '\\s+[\\w.-]{1,60}/[\\w.-]{1,60}:(?=[^\\s@]{3,60}@)',
  },
  {
    names: '(?:mc|mcli) (?:alias|config host)',
    next: `\\s+(?:set|add)\\s+${word}\\s+https?:\\S{1,200}\\s+${word}\\s+`,
  },
  { names: 'gh secret set', options: '(?:--body|-b)' },
  {
    names: '(?:composer|composer\\.phar) (?:config|global config)',
    next: `(?:\\s+-\\S{1,30}){0,3}\\s+http-basic\\.\\S{1,200}\\s+${word}\\s+`,
  },
  {
    names: '(?:composer|composer\\.phar) (?:config|global config)',
    next: '(?:\\s+-\\S{1,30}){0,3}\\s+(?:github-oauth|gitlab-token|gitlab-oauth|bearer)\\.\\S{1,200}\\s+',
  },
  { names: 'bundle config', next: '(?:\\s+(?:set|--\\w{1,10})){0,2}\\s+[\\w.-]{1,200}\\s+[^\\s:]{1,100}:' },
  { names: '(?:dotnet )?nuget (?:push|delete|sources?)', spaced: '-k' },
  {
    names: 'rabbitmqctl',
    after: `\\s(?:add_user|change_password|authenticate_user)\\s+${word}\\s+`,
    isLast: true,
  },
  { names: 'sqlplus', next: '(?:\\s+-[A-Za-z]){0,3}\\s+[\\w.-]{1,60}/(?=[^\\s@]{3,60}@)' },
];

function patternsOf(program: Program): RegExp[] {
  const { names, options, spaced, glued, login, after, next, isLast } = program;
  const here = `(?<![\\w.-])(?:${names})(?![\\w-])`;
  // looked for backwards: one command may have several of them
  const behind = (what: string): string => `(?<=${here}${between})${what}`;
  const [loginOptions, sign = ''] = login ?? [];
  const last = isLast === true ? end : '';
  const sources = [
    options && `${behind(`\\s${options}`)}[ =]?(?!-)${value}`,
    spaced && `${behind(`\\s${spaced}`)}[ \\t=]+(?!-)${value}`,
    glued && `${behind(`\\s${glued}`)}${value}`,
    loginOptions &&
      `${behind(`\\s${loginOptions}`)}(?:[ =]|(?=\\S))["']?[^\\s"'/${sign}]{1,100}${sign}(?<secret>[^\\s"']{3,200})`,
    after && `${behind(after)}${value}${last}`,
    next && `${here}${next}${value}${last}`,
  ];
  return sources.flatMap((source) => (source ? new RegExp(source, 'gu') : []));
}

/** What reads a secret that is piped into it. */
const reader = [
  'sudo\\s[^\\n|;]{0,80}?-[A-Za-z]{0,5}S\\b',
  '[^\\n|;]{0,200}?--(?:[\\w-]{0,20}?(?:pass(?:word|phrase)?|token)-?stdin|with-token|passphrase-fd[ =]0)\\b',
  '[^\\n|;]{0,200}?(?:\\bpasswd\\s[^\\n|;]{0,40}--stdin|-pass(?:in|out)?\\s+stdin)\\b',
  '(?:sudo\\s+)?(?:cryptsetup|smbpasswd|kinit)\\b',
].join('|');
const chpasswd = '(?:sudo\\s[^\\n|;]{0,40}?)?chpasswd\\b';
const says = `\\b(?:echo|printf)\\s+(?:-[neE]{1,3}\\s+)?(?:["']?%s(?:\\\\n)?["']?\\s+)?`;
const login = '(?<secret>[^\\s"\'|]{3,200})';
const name = '["\']?[\\w.@-]{1,60}:';

const piped: readonly RegExp[] = [
  new RegExp(`${says}${value}(?=\\s*\\|\\s*(?:${reader}))`, 'gu'),
  new RegExp(`${says}${name}${login}(?=["']?\\s*\\|\\s*${chpasswd})`, 'gu'),
  new RegExp(`(?:${reader})[^\\n|;<]{0,200}<<<\\s*${value}`, 'gu'),
  new RegExp(`${chpasswd}[^\\n|;<]{0,40}<<<\\s*${name}${login}`, 'gu'),
];

const gateOf = (names: string): RegExp => new RegExp(`(?:${names})`);

/** Every way of the table as a form of a password, with what must be in a text first. */
export const programForms: readonly SecretForm[] = [
  ...programs.flatMap((program) =>
    patternsOf(program).map((pattern) => ({
      kind: 'password',
      gate: gateOf(program.names),
      pattern,
      isMixed: program.isMixed,
    })),
  ),
  ...piped.map((pattern) => ({
    kind: 'password',
    gate: /(?:echo|printf|<<<)[\s\S]{0,400}?(?:-\w*S\b|stdin|with-token|passphrase-fd|passwd|cryptsetup|kinit)|<<</,
    pattern,
  })),
];
