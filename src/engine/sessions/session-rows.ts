// The sessions table. Called inside transactions, so synchronous; the door is sessions.ts.
import { createLruCache } from '#base/caches/lru-cache.ts';
import { memoize } from '#base/caches/memoize.ts';
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Page, SessionChange, SessionFilter } from '#engine/wire/sessions/filters.ts';
import type { WireSession } from '#engine/wire/sessions/message.ts';
import type { PlaceNameTable } from './place-names.ts';
import { type FilterParameters, flagOf, matching, maxLists, parametersOf, partOf } from './session-filter.ts';

/** How a session came to the workspace root that it has. */
export interface Attachment {
  /** Where it was made; absent when it had no workspace. */
  origin?: string | undefined;
  /** Where it was before. */
  from?: string | undefined;
  atMs: number;
  reason: string;
}

export interface Session {
  id: string;
  /** Absent until the first text gives one. */
  title?: string | undefined;
  projectID?: string | undefined;
  directory?: string | undefined;
  sourceKind?: 'channel' | 'api' | undefined;
  sourceMetadata?: Record<string, unknown> | undefined;
  /** The directory when absent. */
  workspaceRoot?: string | undefined;
  /** What answers where a prompt names no model. */
  chosenModel?: { providerID: string; modelID: string } | undefined;
  /** The model of the newest run. */
  model?: { providerID: string; modelID: string } | undefined;
  createdAtMs: number;
  updatedAtMs: number;
  archivedAtMs?: number | undefined;
  sharedAtMs?: number | undefined;
  /** The session that it was forked from, or made under. */
  parentID?: string | undefined;
  idempotencyKey?: string | undefined;
  /** A hash of the request that its key stands for. */
  requestHash?: string | undefined;
  /** Of one that was attached to its workspace root. */
  attachment?: Attachment | undefined;
  /** Where its newest prompt that came from a chat was written. */
  place?: WireSession['place'];
}

interface Row {
  id: string;
  title: string | null;
  project_id: string | null;
  directory: string | null;
  source_kind: 'channel' | 'api' | null;
  source_metadata: string | null;
  provider_id: string | null;
  model_id: string | null;
  created_at_ms: number;
  updated_at_ms: number;
  archived_at_ms: number | null;
  shared_at_ms: number | null;
  parent_id: string | null;
  idempotency_key: string | null;
  workspace_root: string | null;
  chosen_model: string | null;
  request_hash: string | null;
  attachment: string | null;
}

interface PlacedRow extends Row {
  origin: string | null;
  agent: string | null;
}

/** A message with a text that is looked for. */
interface FoundRow {
  id: string;
  role: string;
  speaker: string | null;
  created_at_ms: number;
  text: string;
}

/** What a session is made with and mostly stays the same: only an attachment changes its workspace root. */
export type LastingFacts = Readonly<
  Pick<Session, 'projectID' | 'directory' | 'workspaceRoot' | 'parentID' | 'sourceKind' | 'chosenModel'>
>;

/** Sessions whose lasting facts are in memory: those that were asked for last, some 200 bytes each. */
const maxCached = 2_000;

export interface SessionRows {
  insert(session: Session): void;
  /** Without its place, which only people who list sessions ask for. */
  get(id: string): Session | undefined;
  withPlace(id: string): Session | undefined;
  has(id: string): boolean;
  /** Those facts of a session, mostly from memory; undefined when there is no such session. */
  lasting(id: string): LastingFacts | undefined;
  ofKey(idempotencyKey: string): Session | undefined;
  /** Newest first. */
  page(filter: SessionFilter, page: Page): Session[];
  count(filter: SessionFilter): number;
  /** The newest messages of the session with this text, and what stands around it. */
  found(id: string, text: string): NonNullable<WireSession['found']>;
  /** Notes that something happened in the session, and what came to be known by it. */
  touch(id: string, now: number, facts?: Pick<Session, 'title' | 'model'>): void;
  change(id: string, now: number, change: SessionChange): void;
  attach(id: string, workspaceRoot: string, attachment: Attachment): void;
  /** Oldest first. */
  ids(): string[];
  /** Those that are not archived and in which something was last written after one time and no later than another, longest ago first. */
  lastWrittenIn(time: { after: number; until: number }): string[];
  /** Its messages must be gone before. */
  remove(id: string): void;
}

const ofLast = (column: 'origin' | 'agent'): string =>
  `(SELECT r.${column} FROM runs r WHERE r.session_id = sessions.id AND r.origin IS NOT NULL
    ORDER BY r.position DESC LIMIT 1) AS ${column}`;
const placeColumns = `${ofLast('origin')}, ${ofLast('agent')}`;

/** What lists of sessions need of the names of places. */
type PlaceNamesOfChats = Pick<PlaceNameTable, 'of' | 'rangesOf'>;
const unnamed: PlaceNamesOfChats = { of: () => undefined, rangesOf: () => [] };

/** Statements over the engine's open database; without `names` no place has one. */
export function createSessionRows(database: Sqlite, names: PlaceNamesOfChats = unnamed): SessionRows {
  const insert = database.prepare<Row>(
    `INSERT INTO sessions (id, title, project_id, directory, source_kind, source_metadata, provider_id, model_id,
       created_at_ms, updated_at_ms, archived_at_ms, shared_at_ms, parent_id, idempotency_key, workspace_root, chosen_model,
       request_hash, attachment)
     VALUES (:id, :title, :project_id, :directory, :source_kind, :source_metadata, :provider_id, :model_id,
       :created_at_ms, :updated_at_ms, :archived_at_ms, :shared_at_ms, :parent_id, :idempotency_key, :workspace_root,
       :chosen_model, :request_hash, :attachment)`,
  );
  const select = database.prepare<[string], Row>('SELECT * FROM sessions WHERE id = ?');
  const placed = database.prepare<[string], PlacedRow>(
    `SELECT *, ${placeColumns} FROM sessions WHERE id = ?`,
  );
  const byKey = database.prepare<[string], Row>('SELECT * FROM sessions WHERE idempotency_key = ?');
  const orders = { created: 'id DESC', updated: 'updated_at_ms DESC, id DESC' };
  const pageOf = memoize(maxLists, (tail) =>
    database.prepare<FilterParameters & Page, PlacedRow>(
      `SELECT *, ${placeColumns} FROM sessions WHERE ${tail} LIMIT :limit OFFSET :offset`,
    ),
  );
  const countOf = memoize(maxLists, (where) =>
    database.prepare<FilterParameters, number>(`SELECT count(*) FROM sessions WHERE ${where}`).pluck(),
  );
  const withText = database.prepare<[string, string], FoundRow>(
    `SELECT m.id, m.role, m.speaker, m.created_at_ms, p.text FROM messages m JOIN parts p ON p.message_id = m.id
     WHERE m.session_id = ? AND p.type = 'text' AND p.text LIKE ? ESCAPE '\\' AND m.reverted_at_ms IS NULL
     ORDER BY m.position DESC LIMIT ${mostFound}`,
  );
  const touch = database.prepare<[number, string | null, string | null, string | null, string]>(
    `UPDATE sessions SET updated_at_ms = ?, title = coalesce(?, title), provider_id = coalesce(?, provider_id),
       model_id = coalesce(?, model_id) WHERE id = ?`,
  );
  // A flag that is set keeps the time at which it was first set.
  const change = database.prepare<{
    id: string;
    now: number;
    title: string | null;
    archived: number | null;
    shared: number | null;
  }>(
    `UPDATE sessions SET updated_at_ms = :now, title = coalesce(:title, title),
       archived_at_ms = CASE :archived WHEN 1 THEN coalesce(archived_at_ms, :now) WHEN 0 THEN NULL ELSE archived_at_ms END,
       shared_at_ms = CASE :shared WHEN 1 THEN coalesce(shared_at_ms, :now) WHEN 0 THEN NULL ELSE shared_at_ms END
     WHERE id = :id`,
  );
  const attach = database.prepare<[string, string, number, string]>(
    'UPDATE sessions SET workspace_root = ?, attachment = ?, updated_at_ms = ? WHERE id = ?',
  );
  const ids = database.prepare<[], { id: string }>('SELECT id FROM sessions ORDER BY id');
  const lastWrittenIn = database
    .prepare<{ after: number; until: number }, string>(
      `SELECT id FROM sessions WHERE updated_at_ms > :after AND updated_at_ms <= :until AND archived_at_ms IS NULL
       ORDER BY updated_at_ms, id`,
    )
    .pluck();
  const remove = database.prepare<[string]>('DELETE FROM sessions WHERE id = ?');
  const placedFromRow = (row: PlacedRow): Session => {
    const { place, ...session } = fromRow(row);
    if (place === undefined) return session;
    return { ...session, place: { ...place, ...defined({ names: names.of(place.chat) }) } };
  };
  const one = (row: Row | undefined): Session | undefined => (row === undefined ? undefined : fromRow(row));
  const known = createLruCache<string, LastingFacts>(maxCached);
  const lasting = (id: string): LastingFacts | undefined => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const session = one(select.get(id));
    if (session === undefined) return undefined;
    const { projectID, directory, workspaceRoot, parentID, sourceKind, chosenModel } = session;
    const facts = { projectID, directory, workspaceRoot, parentID, sourceKind, chosenModel };
    // a session of a transaction may be taken back, and one that it removes comes back with it
    if (!database.inTransaction) known.set(id, facts);
    return facts;
  };
  return {
    insert(session) {
      insert.run(toRow(session));
    },
    get: (id) => one(select.get(id)),
    withPlace: (id) => placed.all(id).map(placedFromRow)[0],
    has: (id) => lasting(id) !== undefined,
    lasting,
    ids: () => ids.all().map(({ id }) => id),
    lastWrittenIn: (time) => lastWrittenIn.all(time),
    ofKey: (key) => one(byKey.get(key)),
    page(filter, { limit, offset }) {
      const of = parametersOf(filter, names.rangesOf);
      return pageOf(`${matching(of)} ORDER BY ${orders[of.order]}`)
        .all({ ...of, limit, offset })
        .map(placedFromRow);
    },
    count(filter) {
      const of = parametersOf(filter, names.rangesOf);
      return countOf(matching(of)).get(of) ?? 0;
    },
    found: (id, text) =>
      withText.all(id, partOf(text) ?? '').map((row) => ({
        messageID: row.id,
        atMs: row.created_at_ms,
        name: row.role === 'user' ? (JSON.parse(row.speaker ?? '{}').name ?? null) : null,
        ...around(withoutNotes(row.text), text),
      })),
    touch(id, now, facts = {}) {
      touch.run(now, facts.title ?? null, facts.model?.providerID ?? null, facts.model?.modelID ?? null, id);
    },
    change(id, now, { title, archived, shared }) {
      change.run({ id, now, title: title ?? null, archived: flagOf(archived), shared: flagOf(shared) });
    },
    attach(id, workspaceRoot, attachment) {
      known.delete(id);
      attach.run(workspaceRoot, JSON.stringify(attachment), attachment.atMs, id);
    },
    remove(id) {
      known.delete(id);
      remove.run(id);
    },
  };
}

/** Messages of a session that a search shows, and characters on each side of what was searched. */
const [mostFound, aroundChars] = [3, 80];

/** The text in three pieces; without the words themselves where only a note around them has them. */
function around(text: string, words: string): { before: string; match: string; after: string } {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  const end = at + words.length;
  if (at < 0) return { before: text.slice(0, 2 * aroundChars), match: '', after: '' };
  const [before, after] = [text.slice(Math.max(0, at - aroundChars), at), text.slice(end, end + aroundChars)];
  return {
    before: at > aroundChars ? `…${before}` : before,
    match: text.slice(at, end),
    after: end + aroundChars < text.length ? `${after}…` : after,
  };
}

function toRow(session: Session): Row {
  return {
    id: session.id,
    title: session.title ?? null,
    project_id: session.projectID ?? null,
    directory: session.directory ?? null,
    source_kind: session.sourceKind ?? null,
    source_metadata: session.sourceMetadata === undefined ? null : JSON.stringify(session.sourceMetadata),
    provider_id: session.model?.providerID ?? null,
    model_id: session.model?.modelID ?? null,
    created_at_ms: session.createdAtMs,
    updated_at_ms: session.updatedAtMs,
    archived_at_ms: session.archivedAtMs ?? null,
    shared_at_ms: session.sharedAtMs ?? null,
    parent_id: session.parentID ?? null,
    idempotency_key: session.idempotencyKey ?? null,
    workspace_root: session.workspaceRoot ?? null,
    chosen_model: session.chosenModel === undefined ? null : JSON.stringify(session.chosenModel),
    request_hash: session.requestHash ?? null,
    attachment: session.attachment === undefined ? null : JSON.stringify(session.attachment),
  };
}

function placeOf({ origin, agent }: Partial<Pick<PlacedRow, 'origin' | 'agent'>>): WireSession['place'] {
  if (origin === null || origin === undefined) return undefined;
  const { platform, chat, kind, audience, restricted, speaker }: PromptOrigin = JSON.parse(origin);
  const answers = agent == null ? {} : { agent };
  return { platform, chat, kind, audience, private: restricted, person: speaker.name, ...answers };
}

function fromRow(row: Row & Partial<Pick<PlacedRow, 'origin' | 'agent'>>): Session {
  return {
    id: row.id,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    ...defined({
      title: row.title ?? undefined,
      projectID: row.project_id ?? undefined,
      directory: row.directory ?? undefined,
      sourceKind: row.source_kind ?? undefined,
      sourceMetadata: row.source_metadata === null ? undefined : JSON.parse(row.source_metadata),
      model:
        row.provider_id === null || row.model_id === null
          ? undefined
          : { providerID: row.provider_id, modelID: row.model_id },
      archivedAtMs: row.archived_at_ms ?? undefined,
      sharedAtMs: row.shared_at_ms ?? undefined,
      parentID: row.parent_id ?? undefined,
      idempotencyKey: row.idempotency_key ?? undefined,
      workspaceRoot: row.workspace_root ?? undefined,
      chosenModel: row.chosen_model === null ? undefined : JSON.parse(row.chosen_model),
      requestHash: row.request_hash ?? undefined,
      attachment: row.attachment === null ? undefined : JSON.parse(row.attachment),
      place: placeOf(row),
    }),
  };
}
