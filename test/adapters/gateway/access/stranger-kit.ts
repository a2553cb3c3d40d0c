// Strangers who write to a gateway with pairing, and what each side can see. No test.
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { type ChannelAccess, openAccess } from '#adapters/gateway/terms/access-types.ts';
import { type Harness, type HarnessOptions, startHarness } from '../harness.ts';
import { createScriptedChannel, dm } from '../scripted-channel.ts';
import { createScriptedEngine } from '../scripted-engine.ts';

export const rooms = openAccess('guest').rooms;
export const pairing: ChannelAccess = { ...openAccess('guest'), directMessages: 'pairing' };
const codeForm = /`([A-HJ-NP-TV-Z2-9]{8})`/;
export const stranger = (number: number) => ({ id: `s${number}`, name: `Stranger ${number}`, isBot: false });
export const from = (number: number) => ({
  address: { ...dm, chat: `DS${number}` },
  actor: stranger(number),
});

export const start = (t: TestContext, options: HarnessOptions = {}): Promise<Harness> =>
  startHarness(t, {
    access: pairing,
    channel: createScriptedChannel({ partLimit: 4_000 }),
    engine: createScriptedEngine(() => 'ok'),
    ...options,
  });
export const texts = (h: Harness): string[] => h.channel.messages.map(({ text }) => text);
export const codes = (h: Harness): string[] => texts(h).flatMap((text) => codeForm.exec(text)?.[1] ?? []);

/** Every text that exists anywhere in the ledger. */
export function saved(h: Harness): string {
  const file = new Database(h.path, { readonly: true });
  try {
    const tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
      name: string;
    }[];
    return JSON.stringify(tables.map(({ name }) => file.prepare(`SELECT * FROM ${name}`).all()));
  } finally {
    file.close();
  }
}
