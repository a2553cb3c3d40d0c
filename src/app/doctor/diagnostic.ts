// What the doctor says: findings by what they are about, each with its hint and sometimes a way to fix it at once.
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import type { DoctorFinding } from '#engine/wire/operator/operator.ts';

export interface Diagnostic extends Finding {
  /** Repairs it at once and changes nothing else; only where nobody can lose anything by it. */
  fix?: (() => void | Promise<void>) | undefined;
}

export interface DiagnosticSection {
  /** `machine`, `home`, `memory`, `discord`... */
  about: string;
  remarks: Diagnostic[];
}

/** A finding that something works. */
export const ok = (what: string): Diagnostic => ({ level: 'ok', what });
/** A finding of something that works only partly, with a hint and, where it is safe, a fix. */
export const warning = (what: string, hint: string, fix?: Diagnostic['fix']): Diagnostic => ({
  level: 'warning',
  what,
  hint,
  fix,
});
/** A finding of something that does not work, with a hint and, where it is safe, a fix. */
export const errorFinding = (what: string, hint: string, fix?: Diagnostic['fix']): Diagnostic => ({
  level: 'error',
  what,
  hint,
  fix,
});

/** All findings of all sections as data. */
export function findingsOf(sections: readonly DiagnosticSection[]): DoctorFinding[] {
  return sections.flatMap(({ about, remarks }) =>
    remarks.map(({ fix, ...finding }) => ({ about, ...finding, fixable: fix !== undefined })),
  );
}
