// Secrets found in text and masked before anything else is done with it: secretlint's rules, known tokens, stated passwords, codes and cards. Not our own configured ones.
import { codesIn } from './codes.ts';
import { commandSecretsIn } from './commands.ts';
import { runsIn } from './runs.ts';
import type { SecretMatch } from './secret-match.ts';
import { secretsStatedIn } from './stated.ts';
import { tokensIn } from './tokens.ts';

interface Redacted {
  text: string;
  /** The kinds of what was masked, in order, one for each place. */
  kinds: readonly string[];
}

/** The text with every secret in it as `[redacted:kind]`. What is masked already stays as it is. */
export type Redact = (text: string) => Promise<Redacted>;

type Lint = (text: string) => Promise<SecretMatch[]>;

/** One piece of work for the rules, in characters; lines are kept whole. */
const lintedAtOnce = 64 * 1024;
const prefix = '@secretlint/secretlint-rule-';

/** Ids of this program: no form fits them, and yet each would be looked at by all rules. */
const ownIDs = /(?<![\w./+%=~-])[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}(?![\w./+%=~-])/g;

/** A finder of its own: the rules are loaded with the first text that may hold something for them. */
export function createRedact(): Redact {
  let lint: Promise<Lint> | undefined;
  return async (text) => {
    const found = runsOf(text).any || hasLogin(text) ? tokensIn(text) : [];
    const lines = linesToLint(text);
    if (lines.length > 0) {
      lint ??= loadLint();
      found.push(...(await lintLines(lines, await lint)));
    }
    found.push(...secretsStatedIn(text), ...commandSecretsIn(text), ...codesIn(text));
    return masked(text, found); // of two for the same place, the kind that is known by its form
  };
}

/** Findings that overlap count as the first one, which is masked to their common end. */
function masked(text: string, found: readonly SecretMatch[]): Redacted {
  if (found.length === 0) return { text, kinds: [] };
  const kinds: string[] = [];
  let [result, at] = ['', 0];
  for (const { kind, from, to } of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    if (from >= at) {
      result += `${text.slice(at, from)}[redacted:${kind}]`;
      kinds.push(kind);
    }
    at = to;
  }
  return { text: result + text.slice(at), kinds };
}

interface Line {
  text: string;
  /** Where it begins in the whole. */
  at: number;
}

/** The lines in which there may be something for secretlint's rules, which look at one line each. */
function linesToLint(text: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? undefined : end);
    if (runsOf(line).mixed || hasLogin(line) || line.includes('_authToken=')) lines.push({ text: line, at });
    at += line.length + 1;
  }
  return lines;
}

function runsOf(text: string): ReturnType<typeof runsIn> {
  const runs = runsIn(text);
  return runs.any ? runsIn(text.replace(ownIDs, '')) : runs;
}

function hasLogin(text: string): boolean {
  return text.includes('://') && text.includes('@');
}

/** What the rules find in the lines, some of them at a time, since a call costs as much as a long line. */
async function lintLines(lines: readonly Line[], lint: Lint): Promise<SecretMatch[]> {
  const found: SecretMatch[] = [];
  for (let next = 0; next < lines.length; ) {
    const starts: { inPiece: number; at: number }[] = [];
    let piece = '';
    for (; next < lines.length && piece.length < lintedAtOnce; next += 1) {
      const line = lines[next];
      if (line === undefined) break;
      starts.push({ inPiece: piece.length, at: line.at });
      piece += `${line.text}\n`;
    }
    for (const { kind, from, to } of await lint(piece)) {
      const start = starts.findLast(({ inPiece }) => inPiece <= from);
      if (start === undefined) continue;
      const shift = start.at - start.inPiece;
      found.push({ kind, from: from + shift, to: to + shift });
    }
  }
  return found;
}

async function loadLint(): Promise<Lint> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'), // 45 ms, which a start without secrets does not pay
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // it is on by itself, and has an entry for each rule and text for as long as the program runs
  secretLintProfiler.setEnabled(false);
  const config = {
    rules: rules
      .filter(({ meta }) => meta.id !== `${prefix}filter-comments`) // no text says of itself that it must not be looked at
      .map((rule) => ({ id: rule.meta.id, rule })),
  };
  return async (text) => {
    // tokens are ASCII, and the rules take any letter before one for a part of it: also that of a script without spaces
    const content = text.replace(/[^\0-\x7f]/g, ' ');
    const source = { content, filePath: 'memory', ext: '', contentType: 'text' as const };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    return messages
      .map(({ ruleId, range: [from, to] }) => ({ kind: kindOf(ruleId), from, to }))
      .filter(({ from, to }) => to > from && !/EXAMPLE/.test(content.slice(from, to)));
  };
}

function kindOf(ruleID: string): string {
  return ruleID.replace(prefix, '').replaceAll('-', ' ');
}
