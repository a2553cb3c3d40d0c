// Exports of chat histories, in a folder, and a memory that imports them. No tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ImportFormat, ImportRequest } from '#memory/types/import.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { freshPath, mine, openMemory } from './open-memory.ts';

const where = { audience: 'person:per_1', restricted: true } as const;
export const second = Date.UTC(2026, 2, 4, 10) / 1000;

export function stage(t: TestContext, format: ImportFormat, files: Record<string, unknown>) {
  const path = freshPath(t);
  const root = join(dirname(path), 'export');
  const put = (name: string, content: unknown): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(root, name), isRaw ? content : JSON.stringify(content));
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  const memory = openMemory(t, { path });
  const run = (more: Partial<ImportRequest> = {}) =>
    memory.importPath({ path: root, format, where, ...more });
  const all = (...audiences: Audience[]): Scope => ({ audiences, spaces: [], everyone: false });
  const list = (scope: Scope = mine) => memory.list({ scope, limit: 100 });
  return { memory, root, put, run, list, all };
}

export const telegramMessage = (id: number, text: unknown, more: object = {}) => ({
  id,
  type: 'message',
  date: '2026-03-04T12:00:00',
  date_unixtime: String(second + id),
  from: 'Ann',
  from_id: 'user77',
  text,
  ...more,
});
export const users = [
  { id: 'U1', team_id: 'T9', name: 'ann', profile: { display_name: 'Ann' } },
  { id: 'U2', team_id: 'T9', name: 'ben', real_name: 'Ben B.' },
];
export const discordFile = (channel: object, messages: object[], guild = '900') => ({
  guild: { id: guild, name: 'Club' },
  channel: { id: '901', type: 'GuildTextChat', categoryId: '800', name: 'general', ...channel },
  messages,
});
export const discordMessage = (id: string, content: string, more: object = {}) => ({
  id,
  type: 'Default',
  timestamp: '2026-03-04T10:00:00.000+00:00',
  content,
  author: { id: '31', name: 'ann', nickname: 'Ann' },
  attachments: [],
  ...more,
});
