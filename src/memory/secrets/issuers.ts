// Keys that begin with what their issuer puts there: the forms of gitleaks' and trufflehog's rules that secretlint does not have. One table.
import { isPlaceholder } from './mention.ts';
import type { SecretMatch } from './secret-match.ts';

/** What a key of one issuer begins with, and what follows; both are sources of patterns. */
type Issuer = readonly [kind: string, start: string, rest: string];

const name = '[A-Za-z0-9]';
const wide = '[\\w-]';
const hex = '[a-f0-9]';
const uuid = `${hex}{8}(?:-${hex}{4}){3}-${hex}{12}`;

/** Lengths are the least that the issuer documents, so that a longer key of tomorrow is one too. */
const issuers: readonly Issuer[] = [
  ['1password key', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  ['1password token', 'ops_eyJ', `${name}{100,}={0,3}`],
  ['adobe key', 'p8e-', `${name}{32}`],
  ['age key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,}'],
  ['age key', 'AGE-PLUGIN-', '[A-Z0-9]{2,20}-1[A-Z0-9]{20,}'],
  ['airtable token', 'pat', `${name}{14}\\.${hex}{64}`],
  ['alibaba key', 'LTAI', `${name}{12,30}`],
  ['artifactory key', 'AKCp', `${name}{60,}`],
  ['artifactory token', 'cmVmd', `${name}{55,}`],
  ['atlassian token', 'AT(?:ATT3|CTT3|BB|STT3)', '[\\w=-]{28,}'],
  [
    'authress key',
    '(?:sc|ext|scauth|authress)_',
    '[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][\\w-]{10,32}\\.[\\w+/=-]{30,}',
  ],
  ['aws key', 'ABSK', '[A-Za-z0-9+/]{100,}={0,2}'],
  ['aws key', 'bedrock-api-key-', '[\\w+/=-]{28,}'],
  ['asana token', '[12]/', `\\d{12,}(?:/\\d{12,})?:${hex}{32}`],
  ['brave key', 'BSA', `${wide}{28}`],
  ['buildkite token', 'bk(?:ua|ct|aa)_', `${hex}{40}`],
  ['circleci token', 'CCI(?:PAT|PRJ)_', `${name}{16,}_${hex}{40}`],
  ['clickhouse key', '4b1d', `${name}{38}`],
  ['clojars token', 'CLOJARS_', '[a-z0-9]{60}'],
  ['cloudflare key', 'v1\\.0-', `${hex}{24}-${hex}{100,}`],
  ['contentful token', 'CFPAT-', `${wide}{43}`],
  ['crates token', 'cio', `${name}{32}`],
  ['databricks', 'dapi', `${hex}{32}(?:-\\d)?`],
  ['defined networking key', 'dnkey-', '[\\w=-]{26}-[\\w=-]{52}'],
  ['deno token', 'dd[pow]_', `${name}{36}`],
  ['digitalocean token', 'do[opr]_v1_', `${hex}{64}`],
  ['discord token', 'mfa\\.', `${wide}{80,}`],
  ['docker', 'dckr_(?:pat|oat)_', `${wide}{27,}`],
  ['doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[\\w.-]{40,}'],
  ['dropbox token', 'sl\\.', `(?:u\\.)?${wide}{100,}`],
  ['duffel token', 'duffel_(?:test|live)_', '[\\w=-]{43}'],
  ['dynatrace token', 'dt0[a-z]\\d\\d\\.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['easypost key', 'EZ[AT]K', `${name}{54}`],
  ['elevenlabs key', 'sk_', `${hex}{48}`],
  ['facebook token', 'EAA[A-Z]', `${name}{80,}`],
  ['figma', 'fig(?:d|u|or|oh)[a-z]?_', `${wide}{36,}`],
  ['firecrawl key', 'fc-', `${hex}{32}`],
  ['fireworks key', 'fw_', `(?=[a-z]*\\d)${name}{22,}`],
  ['flutterwave key', 'FLW(?:PUB|SEC)K(?:_TEST)?-', `${hex}{32}-X`],
  ['fly token', 'f(?:o1|m1[ar]|m2)_', '[\\w+/=-]{40,}'],
  ['frame.io token', 'fio-u-', '[\\w=-]{64}'],
  ['github token', 'v1\\.', `${hex}{40}`],
  [
    'gitlab token',
    'gl(?:agent|ft|imt|oas|soat|ffct|rtr|cbt|dt|pat|ptt|rt)-',
    `${wide}{20,}(?:\\.\\w{2,10}\\.${wide}{6,12})?`,
  ],
  ['gitlab token', 'GR1348941', `${wide}{20}`],
  ['google token', 'ya29\\.', `${wide}{40,}`],
  ['google token', '1//0', `${wide}{40,}`],
  ['grafana', 'glsa_', `${name}{32}_[A-Fa-f0-9]{8}`],
  ['grafana', 'glc_', '[A-Za-z0-9+/]{32,}={0,2}'],
  ['grafana', 'eyJrIjoi', `${name}{70,}={0,3}`],
  ['groq', 'gsk_', `${name}{40,}`],
  ['harness token', '(?:pat|sat)\\.', `${wide}{22}\\.${hex}{24}\\.${name}{20}`],
  ['heroku key', 'HRKU-AA', `${wide}{58}`],
  ['huggingface token', 'api_org_', `${name}{34}`],
  ['infracost key', 'ico-', `${name}{32}`],
  ['intra42 secret', 's-s4t2(?:ud|af)-', `${hex}{64}`],
  ['langfuse key', '[sp]k-lf-', uuid],
  ['langsmith key', 'lsv2_(?:pt|sk)_', `${hex}{32}_${hex}{10}`],
  ['linear', 'lin_(?:api|oauth)_', `${name}{40,}`],
  ['lob key', '(?:live|test)_', `${hex}{35}`],
  ['mailgun key', '(?:pub)?key-', `${hex}{32}`],
  ['mapbox token', '[ps]k\\.eyJ', `${wide}{40,}\\.${wide}{22}`],
  ['matrix token', 'syt_', `${wide}{4,}_${name}{20}_${name}{6}`],
  ['netlify token', 'nf[pcou]_', `${name}{36}`],
  ['new relic key', 'NR(?:AK|JS|II|AA|RA|SP)-', `${wide}{19,}`],
  ['notion', 'ntn_', `\\d{8,}${name}{30,}`],
  ['notion', 'secret_', `${name}{43}`],
  ['ntfy token', 'tk_', '(?=[a-z]*\\d)[a-z0-9]{29}'],
  ['nuget key', 'oy2', '[a-z0-9]{43}'],
  ['nvidia key', 'nvapi-', `${wide}{60,}`],
  ['octopus key', 'API-', '(?=[A-Z]*\\d)[A-Z0-9]{26,}'],
  ['openshift token', 'sha256~', `${wide}{43}`],
  ['perplexity key', 'pplx-', `${name}{48}`],
  ['planetscale token', 'pscale_(?:tkn|oauth|pw)_', '[\\w=.-]{32,64}'],
  ['posthog key', 'ph[xs]_', `${name}{40,}`],
  ['postman key', 'PMAK-', `${hex}{24}-${hex}{34}`],
  ['prefect key', 'pn[ub]_', `${name}{36}`],
  ['pulumi token', 'pul-', `${hex}{40}`],
  ['pypi token', 'pypi-', `Ag${wide}{50,}`],
  ['readme key', 'rdme_', '[a-z0-9]{70}'],
  ['render key', 'rnd_', `${name}{28,}`],
  ['replicate token', 'r8_', `${name}{37}`],
  ['resend key', 're_', `${name}{8}_${name}{20,}`],
  ['rubygems key', 'rubygems_', `${hex}{48}`],
  ['scalingo token', 'tk-us-', `${wide}{48}`],
  ['sendinblue key', 'xkeysib-', `${hex}{64}-${name}{16}`],
  ['sendinblue key', 'xsmtpsib-', `${hex}{64}-${name}{16}`],
  ['sentry token', 'sntry[us]_', '[\\w+/=-]{60,}'],
  ['shippo token', 'shippo_(?:live|test)_', `${hex}{40}`],
  ['shopify', 'shp(?:at|ca|pa|ss|ua)_', `(?=[a-fA-F]*\\d)[A-Fa-f0-9]{32}`],
  ['sonar token', 'sq[pua]_', `${hex}{40}`],
  ['sourcegraph token', 'sg[pds]_', `(?:local_|[a-f0-9]{16}_)?${hex}{40}`],
  ['square token', 'EAAA', `${wide}{60}`],
  ['square token', 'sq0[a-z]{3}-', `${wide}{22,}`],
  ['stripe key', '(?:sk|rk)_(?:prod|live|test)_', `${name}{10,}`],
  ['supabase key', 'sbp_', `(?:v0_)?${hex}{40}`],
  ['supabase key', 'sb_secret_', `${wide}{22}_${wide}{6,}`],
  ['tailscale', 'tskey-', `(?:[a-z]+-)?${wide}{10,}-${wide}{16,}`],
  ['tavily key', 'tvly-', `(?:(?:dev|prod)-)?(?=[A-Za-z-]*\\d)${wide}{28,}`],
  ['twilio key', 'SK', `${hex}{32}`],
  ['typeform token', 'tfp_', '[\\w.=-]{44,}'],
  ['hashicorp vault', 'hv[srb]\\.', `${wide}{24,}`],
  ['hashicorp vault', 's\\.', `(?=[A-Za-z]*\\d)(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])${name}{24}`],
  ['vercel token', 'vc[pikra]_', `${name}{24,}`],
  ['xai key', 'xai-', `${name}{70,}`],
  ['yandex key', 'AQVN', `${wide}{35,}`],
  ['yandex token', 't1\\.', `[\\w-]+={0,2}\\.${wide}{86}={0,2}`],
];

/** Keys that are known by a sign within: what must be in a text first, and the whole. */
const marked: readonly (readonly [kind: string, mark: RegExp, whole: string])[] = [
  ['azure secret', /\dQ~/, '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}'],
  ['ghost key', /:[a-f0-9]{64}/, `${hex}{24}:${hex}{64}`],
  ['mailchimp key', /-us\d/, `${hex}{32}-us\\d{1,2}`],
  ['maxmind key', /_mmk/, `${name}{6}_${name}{29}_mmk`],
  ['terraform token', /\.atlasv1\./, `${name}{14}\\.atlasv1\\.[\\w=-]{60,}`],
];

/** A key with a letter or a sign at its ends is a piece of something longer. */
const alone = (key: string): string => `(?<![\\w.+-])${key}(?![\\w+/-])`;

const anyStart = new RegExp(`(?<![\\w.+-])(?:${issuers.map(([, start]) => start).join('|')})`);
const started = issuers.map(([kind, start, rest]) => ({
  kind,
  pattern: new RegExp(alone(start + rest), 'g'),
}));
const signed = marked.map(([kind, mark, whole]) => ({ kind, mark, pattern: new RegExp(alone(whole), 'g') }));

/** Every key in the text whose issuer is known by its form, in order of the table; some may overlap. */
export function issuersKeysIn(text: string): SecretMatch[] {
  const forms = [...(anyStart.test(text) ? started : []), ...signed.filter(({ mark }) => mark.test(text))];
  return forms.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: key, index: from }) =>
      /\d/.test(key) && /[A-Za-z]/.test(key) && !isPlaceholder(key)
        ? [{ kind, from, to: from + key.length }]
        : [],
    ),
  );
}
