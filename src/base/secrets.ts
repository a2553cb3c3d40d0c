// The secrets of this process's configuration, and their removal from anything that leaves. Not a scanner for strangers' secrets.

const shortest = 6;
const removed = '[redacted]';

/** Replaces every occurrence of a secret (and its URL-encoded and JSON-escaped form) by `[redacted]`. */
export type MaskSecrets = (text: string) => string;

/** Text that comes in pieces: what may be the beginning of a secret waits for what follows it. */
interface MaskedStream {
  /** What of the text so far may be shown and was not yet; may be empty. */
  push(piece: string): string;
  /** The rest: nothing follows. The stream begins again. */
  end(): string;
}

/** All that knows the secrets: made once, where the configuration is read, and handed to whatever sends something out. */
export interface Secrets {
  mask: MaskSecrets;
  /** The same value with every string in it masked, keys too. Values that survive JSON; anything else comes back unchanged. */
  maskAll<T>(value: T): T;
  /** Knows these too after this, as a config that changed has them. */
  learn(more: readonly (string | undefined)[]): void;
  /** A stream whose pieces together are what `mask` makes of the whole. */
  stream(): MaskedStream;
}

/** Masks the given secrets. Blank ones and those under 6 characters are ignored, since they would match ordinary words. */
export function createSecrets(secrets: readonly (string | undefined)[]): Secrets {
  let { forms, pattern, longest } = patternOf(secrets);
  let all = secrets;
  const mask: MaskSecrets = (text) => (forms.length === 0 ? text : text.replace(pattern, removed));

  const maskAll = <T>(value: T): T => (forms.length === 0 ? value : (deep(value, mask) as T)); // strings stay strings

  const stream = (): MaskedStream => {
    let held = '';
    return {
      push(piece) {
        if (forms.length === 0) return piece;
        const text = held + piece;
        held = '';
        let shown = '';
        for (let at = 0; at < text.length; ) {
          pattern.lastIndex = at;
          const found = pattern.exec(text);
          const until = found?.index ?? text.length - 1;
          for (let i = Math.max(at, text.length - longest + 1); i <= until; i += 1) {
            const rest = text.slice(i);
            if (!forms.some((form) => form.length > rest.length && form.startsWith(rest))) continue;
            held = rest;
            return shown + text.slice(at, i);
          }
          if (found === null) return shown + text.slice(at);
          shown += text.slice(at, found.index) + removed;
          at = found.index + found[0].length;
        }
        return shown;
      },
      end() {
        const rest = mask(held);
        held = '';
        return rest;
      },
    };
  };
  const learn: Secrets['learn'] = (more) => {
    all = [...new Set([...all, ...more])];
    ({ forms, pattern, longest } = patternOf(all));
  };
  return { mask, maskAll, learn, stream };
}

function patternOf(secrets: readonly (string | undefined)[]) {
  const forms = formsOf(secrets);
  return {
    forms,
    pattern: new RegExp(forms.map(RegExp.escape).join('|'), 'g'),
    longest: Math.max(0, ...forms.map((form) => form.length)),
  };
}

/** Only the masking function of `createSecrets`. */
export function createMask(secrets: readonly (string | undefined)[]): MaskSecrets {
  return createSecrets(secrets).mask;
}

/** Every way in which a secret may be written, the longer first. */
function formsOf(secrets: readonly (string | undefined)[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.trim().length < shortest) continue;
    forms.add(secret);
    forms.add(encodeURIComponent(secret));
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

function deep(value: unknown, mask: MaskSecrets): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each) => deep(each, mask));
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), deep(each, mask)]));
}
