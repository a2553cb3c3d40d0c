// Keys that say by their own form whose they are, as the rules of gitleaks and trufflehog know them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedact } from '#memory/secrets/redact.ts';

const redact = createRedact();

/** A piece of such signs, without a meaning and the same in each run; whole keys stand in no file. */
const piece =
  (signs: string) =>
  (length: number): string =>
    Array.from({ length }, (_, at) => signs[(at * 7 + length * 3 + 5) % signs.length]).join('');
const hex = piece('0123456789abcdef');
const low = piece('abcdefghijklmnopqrstuvwxyz0123456789');
const upper = piece('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const mixed = piece('aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uVwXyZ');
const digits = piece('0123456789');

const keys: readonly string[] = [
  `A3-${upper(6)}-${upper(6)}-${upper(5)}-${upper(5)}-${upper(5)}-${upper(5)}`,
  `ops_eyJ${mixed(260)}`,
  `p8e-${low(32)}`,
  `AGE-SECRET-KEY-1${upper(58)}`,
  `pat${mixed(14)}.${hex(64)}`,
  `LTAI${mixed(20)}`,
  `AKCp${mixed(69)}`,
  `cmVmd${mixed(59)}`,
  `ATATT3${mixed(180)}=${upper(8)}`,
  `ATBB${mixed(32)}`,
  `ATCTT3${mixed(180)}=${upper(8)}`,
  `sc_${low(10)}.${low(5)}.acc_${low(16)}.${low(60)}`,
  `ABSK${mixed(120)}==`,
  `${mixed(3)}8Q~${mixed(34)}`,
  `4b1d${mixed(38)}`,
  `CLOJARS_${low(60)}`,
  `v1.0-${hex(24)}-${hex(146)}`,
  `dapi${hex(32)}`,
  `dnkey-${low(26)}-${low(52)}`,
  `dop_v1_${hex(64)}`,
  `dp.pt.${mixed(43)}`,
  `duffel_live_${low(43)}`,
  `dt0c01.${upper(24)}.${upper(64)}`,
  `EZAK${mixed(54)}`,
  `EAAM${mixed(160)}`,
  `FLWSECK-${hex(32)}-X`,
  `fo1_${mixed(43)}`,
  `fm2_${mixed(120)}==`,
  `fio-u-${mixed(64)}`,
  `glagent-${mixed(50)}`,
  `glft-${mixed(20)}`,
  `glimt-${mixed(25)}`,
  `gloas-${hex(64)}`,
  `glsoat-${mixed(20)}`,
  `GR1348941${mixed(20)}`,
  `glptt-${hex(40)}`,
  `glsa_${mixed(32)}_${hex(8)}`,
  `glc_${mixed(60)}==`,
  `eyJrIjoi${mixed(80)}==`,
  `pat.${mixed(22)}.${hex(24)}.${mixed(20)}`,
  `${mixed(14)}.atlasv1.${mixed(67)}`,
  `HRKU-AA${mixed(58)}`,
  `api_org_${mixed(34)}`,
  `ico-${mixed(32)}`,
  `lin_api_${mixed(40)}`,
  `lin_oauth_${hex(64)}`,
  `${hex(32)}-us14`,
  `key-${hex(32)}`,
  `sk.eyJ${mixed(57)}.${mixed(22)}`,
  `${mixed(6)}_${mixed(29)}_mmk`,
  `NRAK-${upper(27)}`,
  `NRII-${mixed(32)}`,
  `ntn_${digits(11)}${mixed(35)}`,
  `secret_${mixed(43)}`,
  `oy2${low(43)}`,
  `API-${upper(26)}`,
  `sha256~${mixed(43)}`,
  `pplx-${mixed(48)}`,
  `pscale_tkn_${mixed(43)}`,
  `pscale_pw_${mixed(43)}`,
  `PMAK-${hex(24)}-${hex(34)}`,
  `pnu_${low(36)}`,
  `pul-${hex(40)}`,
  `pypi-AgEIcHlwaS5vcmc${mixed(80)}`,
  `rdme_${low(70)}`,
  `rubygems_${hex(48)}`,
  `tk-us-${mixed(48)}`,
  `xkeysib-${hex(64)}-${mixed(16)}`,
  `sntryu_${hex(64)}`,
  `sntrys_eyJ${mixed(100)}_${mixed(43)}`,
  `shippo_live_${hex(40)}`,
  `shpss_${hex(32)}`,
  `sgp_${hex(40)}`,
  `EAAA${mixed(60)}`,
  `sq0csp-${mixed(43)}`,
  `SK${hex(32)}`,
  `tfp_${mixed(59)}`,
  `hvs.${mixed(95)}`,
  `hvb.${mixed(138)}`,
  `s.${mixed(24)}`,
  `AQVN${mixed(36)}`,
  `xai-${mixed(80)}`,
  `gsk_${mixed(52)}`,
  `r8_${mixed(37)}`,
  `tvly-dev-${mixed(32)}`,
  `tvly-${mixed(32)}`,
  `fw_${mixed(24)}`,
  `fc-${hex(32)}`,
  `nvapi-${mixed(64)}`,
  `lsv2_pt_${hex(32)}_${hex(10)}`,
  `sk-lf-${hex(8)}-1234-4abc-8abc-${hex(12)}`,
  `sk_${hex(48)}`,
  `BSA${mixed(28)}`,
  `sbp_${hex(40)}`,
  `sb_secret_${mixed(22)}_${mixed(8)}`,
  `nfp_${mixed(36)}`,
  `rnd_${mixed(32)}`,
  `re_${mixed(8)}_${mixed(24)}`,
  `phx_${mixed(43)}`,
  `tskey-auth-${mixed(17)}-${mixed(32)}`,
  `bkua_${hex(40)}`,
  `CCIPAT_${mixed(22)}_${hex(40)}`,
  `dckr_pat_${mixed(27)}`,
  `CFPAT-${mixed(43)}`,
  `figd_${mixed(40)}`,
  `2/${digits(16)}/${digits(16)}:${hex(32)}`,
  `sl.${mixed(135)}`,
  `mfa.${mixed(84)}`,
  `sqp_${hex(40)}`,
  `ya29.${mixed(100)}`,
  `1//0${mixed(60)}`,
  `cio${mixed(32)}`,
  `ddp_${mixed(36)}`,
  `syt_${mixed(8)}_${mixed(20)}_${mixed(6)}`,
  `tk_${low(29)}`,
  `${hex(24)}:${hex(64)}`,
];

test('a key that says by its form who issued it is masked, wherever it stands', async () => {
  for (const key of keys)
    for (const [before, after] of [
      ['', ''],
      ['It is ', ' for later.'],
      ['"', '",'],
      ['X=', '\n'],
      ['数据', '。'],
    ]) {
      const { text } = await redact(`${before}${key}${after}`);
      assert.ok(!text.includes(key), `${before}${key}${after}`);
      assert.match(text, /\[redacted:[a-z0-9. ]+\]/);
      assert.equal((await redact(text)).text, text, 'masked once');
    }
});

test('digests, ids, versions and names that look like the form of a key stay', async () => {
  for (const text of [
    `sha256:${hex(64)} and sha512-${mixed(86)}== of the lock file`,
    'The commit is 3f786850e387550fdab836ed7e6dc881de23001b, v1.0-3f786850.',
    '123e4567-e89b-12d3-a456-426614174000',
    'tk_size_of_the_window and re_compile_the_patterns_of_it, fc-cache-the-fonts',
    'https://cdn.example.org/assets/index-aB1cD2eF3gH4iJ5kL6mN7oP8.js',
    'sk.example.com and s.example.org.uk, pat.example.org',
    'PMAK-1 and API-FIRST-DEVELOPMENT, AGE-OF-EMPIRES',
    'a test_driven_development_of_the_program and live_reload_of_all_of_the_pages_1',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'EAAA is a column, and SK is Slovakia: SK12 3456.',
    'pypi-server and npm_config_registry, dp.position.of.the.window',
  ])
    assert.equal((await redact(text)).text, text);
});
