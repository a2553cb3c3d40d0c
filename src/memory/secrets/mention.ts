// What stands where a secret would, and is none: examples, blanks to fill in, names of variables.

const placeholders =
  /example|sample|dummy|placeholder|redacted|your[_\- ]|my[_-](?:api|secret|token|key|pass)|change[_-]?me|\.{3}|…|\*{3}|x{4}|<[^>]*>|\$\{|\{\{|^\$|^%\w+%$|process\.env|environ|getenv/i;
const variableName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const oneSign = /^(.)\1*$/u;

/** True for `AKIAIOSFODNN7EXAMPLE`, `<password>`, `${TOKEN}`, `DISCORD_BOT_TOKEN`, `********`: people speak of them and lose nothing. */
export function isPlaceholder(value: string): boolean {
  return placeholders.test(value) || variableName.test(value) || oneSign.test(value);
}
