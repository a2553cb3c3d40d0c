// The secrets of this process's configuration, and their removal from anything that leaves. Not a scanner for strangers' secrets.

const shortest = 6;

/** Replaces every occurrence of a secret (and its URL-encoded and JSON-escaped form) by `[redacted]`. */
export type MaskSecrets = (text: string) => string;

/** A mask over the given secrets; blank and very short ones (under 6 characters) are not masked, since they would eat words. */
export function createMask(secrets: readonly (string | undefined)[]): MaskSecrets {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.trim().length < shortest) continue;
    forms.add(secret);
    forms.add(encodeURIComponent(secret));
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, form) => masked.replaceAll(form, '[redacted]'), text);
}
