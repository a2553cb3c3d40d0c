// What the doctor says: findings by what they are about, each with its cure and sometimes a way to mend it at once. Not how they are found or shown.
import type { Finding } from '#adapters/gateway/channel.ts';

export interface Remark extends Finding {
  /** Mends it at once and changes nothing else; only where nobody can lose anything by it. */
  fix?: (() => void | Promise<void>) | undefined;
}

export interface Chapter {
  /** `machine`, `home`, `memory`, `discord`... */
  about: string;
  remarks: Remark[];
}

export const ok = (what: string): Remark => ({ level: 'ok', what });
export const warning = (what: string, cure: string, fix?: Remark['fix']): Remark => ({
  level: 'warning',
  what,
  cure,
  fix,
});
export const wrong = (what: string, cure: string, fix?: Remark['fix']): Remark => ({
  level: 'error',
  what,
  cure,
  fix,
});
