// Strangers: who asked to be admitted, with which code until when, and who was informed when.
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** `told`: was refused with a message. `pending`: has a code. `denied`: was turned away. `approved`: is admitted, and to be informed. */
type PairingRequestState = 'told' | 'pending' | 'denied' | 'approved';

export interface PairingRequest {
  platform: string;
  /** The bot's own account. */
  account: string;
  userID: string;
  /** As the platform shows it. */
  name: string;
  /** Where to answer. */
  address: Address;
  state: PairingRequestState;
  code: string | undefined;
  expiresAtMs: number | undefined;
  /** When something was written to them last. */
  notifiedAtMs: number;
  /** The language of their app, where the platform says it. */
  locale?: string | undefined;
}

export interface PairingRequests {
  get(at: Pick<PairingRequest, 'platform' | 'account' | 'userID'>): PairingRequest | undefined;
  /** The code may have expired: the caller checks that. */
  byCode(code: string): PairingRequest | undefined;
  put(pairingRequest: PairingRequest): void;
  remove(at: Pick<PairingRequest, 'platform' | 'account' | 'userID'>): void;
  /** Removes what an account asked of any bot; the name under which it asked, or undefined where it asked nothing. */
  removeOf(account: Pick<PairingRequest, 'platform' | 'userID'>): string | undefined;
  /** Codes that are good at this time, oldest first; of one bot account when it is named. */
  pending(now: number, of?: Pick<PairingRequest, 'platform' | 'account'>): PairingRequest[];
  /** People who were admitted and do not know it yet. */
  approved(): PairingRequest[];
  /** How many strangers one bot account has told something since then. */
  answeredSince(of: Pick<PairingRequest, 'platform' | 'account'>, since: number): number;
  /** Notes that this message was refused; false when that is noted. Notes from before `forgetBefore` go. */
  refuse(message: { address: Address; nativeID: string; at: number; forgetBefore: number }): boolean;
  /** Whether a message was refused. */
  isRefused(address: Address, nativeID: string): boolean;
  /** Forgets strangers who were informed before that time and wait for nothing. */
  forget(before: number): void;
}

interface Raw {
  platform: string;
  account: string;
  user_id: string;
  name: string;
  address: string;
  state: PairingRequestState;
  code: string | null;
  expires_at_ms: number | null;
  told_at_ms: number;
  locale: string | null;
}

const fromRow = (raw: Raw): PairingRequest => ({
  platform: raw.platform,
  account: raw.account,
  userID: raw.user_id,
  name: raw.name,
  address: parseAddress(raw.address),
  state: raw.state,
  code: raw.code ?? undefined,
  expiresAtMs: raw.expires_at_ms ?? undefined,
  notifiedAtMs: raw.told_at_ms,
  locale: raw.locale ?? undefined,
});

/** The tables `pairingRequests` and `refused`. */
export function createPairingRequests(database: Sqlite): PairingRequests {
  const columns = 'platform, account, user_id, name, address, state, code, expires_at_ms, told_at_ms, locale';
  const many = (where: string) =>
    database.prepare<(string | number)[], Raw>(`SELECT ${columns} FROM pairing_requests WHERE ${where}`);
  const one = many('platform = ? AND account = ? AND user_id = ?');
  const byCode = many("code = ? AND state = 'pending'");
  const pending = many("state = 'pending' AND expires_at_ms > ? ORDER BY expires_at_ms");
  const pendingOf = many(
    "state = 'pending' AND expires_at_ms > ? AND platform = ? AND account = ? ORDER BY expires_at_ms",
  );
  const approved = many("state = 'approved'");
  const put = database.prepare(
    `INSERT OR REPLACE INTO pairing_requests (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.prepare(
    'DELETE FROM pairing_requests WHERE platform = ? AND account = ? AND user_id = ?',
  );
  const removeOf = database
    .prepare<[string, string], string>(
      'DELETE FROM pairing_requests WHERE platform = ? AND user_id = ? RETURNING name',
    )
    .pluck();
  const notifiedSince = database.prepare<[string, string, number], { n: number }>(
    'SELECT count(*) AS n FROM pairing_requests WHERE platform = ? AND account = ? AND told_at_ms > ?',
  );
  const forget = database.prepare(
    "DELETE FROM pairing_requests WHERE told_at_ms < ? AND state <> 'approved'",
  );
  const refuse = database.prepare(
    'INSERT INTO refused_messages VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const forgetRefused = database.prepare('DELETE FROM refused_messages WHERE refused_at_ms < ?');
  const refused = database.prepare<string[], { one: 1 }>(
    'SELECT 1 AS one FROM refused_messages WHERE platform = ? AND account = ? AND chat = ? AND native_id = ?',
  );
  const someRefused = createRareRows(database, "refused_messages WHERE platform > ''");
  return {
    get({ platform, account, userID }) {
      const [raw] = one.all(platform, account, userID);
      return raw && fromRow(raw);
    },
    byCode(code) {
      const [raw] = byCode.all(code);
      return raw && fromRow(raw);
    },
    put({ platform, account, userID, name, address, state, code, expiresAtMs, notifiedAtMs, locale }) {
      const who = [platform, account, userID, name, formatAddress(address), state];
      put.run(...who, code ?? null, expiresAtMs ?? null, notifiedAtMs, locale ?? null);
    },
    remove({ platform, account, userID }) {
      remove.run(platform, account, userID);
    },
    removeOf: ({ platform, userID }) => removeOf.all(platform, userID)[0],
    pending: (now, of) =>
      (of === undefined ? pending.all(now) : pendingOf.all(now, of.platform, of.account)).map(fromRow),
    approved: () => approved.all().map(fromRow),
    answeredSince: ({ platform, account }, since) => notifiedSince.get(platform, account, since)?.n ?? 0,
    refuse({ address: { platform, account, chat }, nativeID, at, forgetBefore }) {
      someRefused.written();
      forgetRefused.run(forgetBefore);
      return refuse.run(platform, account, chat, nativeID, at).changes === 1;
    },
    isRefused: ({ platform, account, chat }, nativeID) =>
      someRefused.exist() && refused.get(platform, account, chat, nativeID) !== undefined,
    forget(before) {
      forget.run(before);
    },
  };
}
