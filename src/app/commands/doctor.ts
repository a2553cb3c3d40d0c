// `parley doctor`: looks at everything that can stand in the way, and says of each problem how it is fixed. With --fix it fixes what is safe to fix.

import { loadConfig } from '#app/config/load.ts';
import { type Diagnostic, type DiagnosticSection, errorFinding, findingsOf } from '#app/doctor/diagnostic.ts';
import { runDiagnostics } from '#app/doctor/doctor.ts';
import { wrapped } from '#app/screen/screen.ts';
import { asCalled } from '#base/called-as.ts';
import { systemClock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { CommandInput } from './parts/input.ts';

/** Prints the findings; resolves with 1 when one of them is an error. */
export async function doctor(input: CommandInput): Promise<number> {
  const chapters = await examined(input);
  if (input.values.fix === true) await fixAll(chapters);
  const all = chapters.flatMap(({ remarks }) => remarks);
  const count = (level: Diagnostic['level']): number => all.filter((each) => each.level === level).length;
  if (input.json) {
    input.print(JSON.stringify({ ok: count('error') === 0, findings: findingsOf(chapters) }));
  } else {
    for (const line of chapters.flatMap(linesOf)) input.print(line);
    input.print(summary({ errors: count('error'), warnings: count('warning') }));
  }
  return count('error') === 0 ? 0 : 1;
}

async function examined(input: CommandInput): Promise<DiagnosticSection[]> {
  const { folder, configFile } = input;
  try {
    const found = await runDiagnostics({ loaded: loadConfig(input), folder, configFile, clock: systemClock });
    for (const remark of found.flatMap(({ remarks }) => remarks)) {
      remark.what = asCalled(remark.what);
      if (remark.hint !== undefined) remark.hint = asCalled(remark.hint);
    }
    return found;
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== 'config_invalid') throw error;
    const hint = error.hint ?? 'Correct the keys that are named; the rest is looked at after that.';
    return [{ about: 'config', remarks: [errorFinding(error.message, hint)] }];
  }
}

/** Fixes what can be fixed here; what could not be stays as it was found, with the reason. */
async function fixAll(chapters: readonly DiagnosticSection[]): Promise<void> {
  for (const remark of chapters.flatMap(({ remarks }) => remarks)) {
    if (remark.fix === undefined) continue;
    try {
      await remark.fix();
      remark.level = 'ok';
      remark.what = `Fixed: ${remark.what}`;
      delete remark.hint;
    } catch (error) {
      remark.hint = `${remark.hint ?? ''} It could not be fixed here: ${errorMessage(error)}.`.trim();
    }
    delete remark.fix;
  }
}

const marks = { ok: 'ok  ', warning: 'WARN', error: 'BAD ' } as const;
const indent = ' '.repeat(7);

function linesOf({ about, remarks }: DiagnosticSection): string[] {
  return ['', about, ...remarks.flatMap(remarkLines)].slice(
    about === 'machine' || about === 'config' ? 1 : 0,
  );
}

function remarkLines({ level, what, hint }: Diagnostic): string[] {
  const [first = '', ...rest] = wrapped(what, indent.length);
  return [
    `  ${marks[level]} ${first}`,
    ...rest.map((line) => `${indent}${line}`),
    ...(hint === undefined ? [] : wrapped(`-> ${hint}`, indent.length).map((line) => `${indent}${line}`)),
  ];
}

function summary({ errors, warnings }: { errors: number; warnings: number }): string {
  if (errors + warnings === 0) return '\nAll is well.';
  return `\n${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`;
}
