// The tables of gateway.sqlite, as numbered migrations. Statements live in the store of each table.
import { amendmentsSchema } from '#adapters/gateway/ledger/inbox/amendments.ts';
import { quotingSchema } from '#adapters/gateway/ledger/inbox/inbox.ts';
import { takenBackSchema } from '#adapters/gateway/ledger/inbox/taken-back.ts';
import { accessTokensSchema, tokensOfLeftSchema } from '#adapters/gateway/ledger/people/access-tokens.ts';
import { companySchema } from '#adapters/gateway/ledger/people/company.ts';
import { firstSightingsSchema, localesSchema } from '#adapters/gateway/ledger/people/identities.ts';
import { laneActiveMemorySchema, laneVoiceSchema } from '#adapters/gateway/ledger/turns/lane-settings.ts';
import { proposalsSchema } from '#adapters/gateway/ledger/turns/proposals.ts';
import { takenFiringsSchema } from '#adapters/gateway/ledger/turns/taken-firings.ts';
import type { Migration } from '#base/sqlite/sqlite.ts';
import { maskSchema } from './mask-rows.ts';
import { dismissedSchema, failedSchema } from './outbox.ts';
import { namedPlacesSchema } from './place-names.ts';
import { refusedPartsSchema } from './refused-rows.ts';
import { roomsSchema } from './rooms.ts';
import { savedNotesSchema } from './saved-notes.ts';
import { standardNames } from './standard-names-migration.ts';
import { linkIndexesMigration, unlinkedMigration } from './unlinked-migration.ts';

export const gatewayMigrations: readonly Migration[] = [
  {
    name: 'inbox, turns, outbox, bindings, cursors, people',
    up: `
      CREATE TABLE turns (
        id TEXT PRIMARY KEY,
        lane TEXT NOT NULL,
        address TEXT NOT NULL,
        reply_to TEXT,
        state TEXT NOT NULL CHECK (state IN ('running', 'answered', 'failed')),
        attempts INTEGER NOT NULL DEFAULT 0,
        session_id TEXT,
        run_id TEXT,
        created_at_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX turns_open ON turns (id) WHERE state = 'running';

      CREATE TABLE inbox (
        id TEXT PRIMARY KEY,
        platform TEXT NOT NULL,
        account TEXT NOT NULL,
        chat TEXT NOT NULL,
        native_id TEXT NOT NULL,
        address TEXT NOT NULL,
        lane TEXT NOT NULL,
        person TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('message', 'command')),
        state TEXT NOT NULL CHECK (state IN ('waiting', 'taken', 'answered', 'refused', 'cancelled')),
        turn_id TEXT REFERENCES turns (id),
        event TEXT NOT NULL,
        said_at_ms INTEGER NOT NULL,
        received_at_ms INTEGER NOT NULL,
        UNIQUE (platform, account, chat, native_id)
      ) STRICT;
      CREATE INDEX inbox_waiting ON inbox (lane, id) WHERE state = 'waiting';
      CREATE INDEX inbox_address ON inbox (address);
      CREATE INDEX inbox_turn ON inbox (turn_id);

      CREATE TABLE previews (
        turn_id TEXT NOT NULL REFERENCES turns (id),
        ordinal INTEGER NOT NULL,
        key TEXT NOT NULL,
        native_id TEXT,
        PRIMARY KEY (turn_id, ordinal)
      ) STRICT;

      CREATE TABLE outbox (
        id TEXT PRIMARY KEY,
        address TEXT NOT NULL,
        reply_to TEXT,
        turn_id TEXT REFERENCES turns (id),
        run_id TEXT,
        state TEXT NOT NULL CHECK (state IN ('open', 'handing over', 'done', 'failed')),
        error TEXT,
        created_at_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX outbox_open ON outbox (id) WHERE state IN ('open', 'handing over');

      CREATE TABLE outbox_parts (
        outbox_id TEXT NOT NULL REFERENCES outbox (id),
        ordinal INTEGER NOT NULL,
        key TEXT NOT NULL,
        text TEXT NOT NULL,
        body TEXT NOT NULL,
        preview_key TEXT,
        preview_id TEXT,
        state TEXT NOT NULL CHECK (state IN ('unsent', 'sending', 'sent')),
        attempts INTEGER NOT NULL DEFAULT 0,
        possible_repeat INTEGER NOT NULL DEFAULT 0,
        native_id TEXT,
        received_at_ms INTEGER,
        PRIMARY KEY (outbox_id, ordinal)
      ) STRICT;

      CREATE TABLE bindings (
        lane TEXT PRIMARY KEY,
        address TEXT NOT NULL,
        session_id TEXT NOT NULL,
        bound_at_ms INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE cursors (
        platform TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (platform, name)
      ) STRICT;

      CREATE TABLE identities (
        person TEXT PRIMARY KEY,
        platform TEXT NOT NULL,
        user_id TEXT NOT NULL,
        name TEXT NOT NULL,
        linked_as TEXT,
        UNIQUE (platform, user_id)
      ) STRICT;
      CREATE INDEX identities_linked ON identities (linked_as);

      CREATE TABLE sightings (
        person TEXT NOT NULL REFERENCES identities (person),
        audience TEXT NOT NULL,
        space TEXT,
        seen_at_ms INTEGER NOT NULL,
        PRIMARY KEY (person, audience)
      ) STRICT;

      CREATE TABLE moves (
        new_room TEXT PRIMARY KEY,
        old_room TEXT NOT NULL,
        moved_at_ms INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    name: 'corrections, one answer for each turn',
    up: `
      CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        inbox_id TEXT NOT NULL REFERENCES inbox (id),
        lane TEXT NOT NULL,
        text TEXT NOT NULL,
        edited_at_ms INTEGER NOT NULL,
        turn_id TEXT REFERENCES turns (id)
      ) STRICT;
      CREATE INDEX corrections_untold ON corrections (lane, id) WHERE turn_id IS NULL;
      CREATE INDEX corrections_inbox ON corrections (inbox_id);
      CREATE INDEX corrections_turn ON corrections (turn_id);

      CREATE UNIQUE INDEX outbox_one_of_turn ON outbox (turn_id) WHERE turn_id IS NOT NULL;
    `,
  },
  {
    name: 'files that came with messages',
    up: `
      CREATE TABLE received_files (
        inbox_id TEXT NOT NULL REFERENCES inbox (id),
        ordinal INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (inbox_id, ordinal)
      ) STRICT;
    `,
  },
  {
    name: 'what runs ask people',
    up: `
      CREATE TABLE asked (
        id TEXT PRIMARY KEY,
        turn_id TEXT NOT NULL REFERENCES turns (id),
        lane TEXT NOT NULL,
        person TEXT NOT NULL,
        address TEXT NOT NULL,
        request TEXT NOT NULL,
        answers TEXT NOT NULL,
        answer_inbox_id TEXT REFERENCES inbox (id),
        outbox_id TEXT NOT NULL REFERENCES outbox (id),
        below_preview INTEGER NOT NULL CHECK (below_preview IN (0, 1)),
        state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'settled', 'over')),
        outcome TEXT
      ) STRICT;
      CREATE INDEX asked_open ON asked (lane, person) WHERE state = 'open';
      CREATE INDEX asked_settled ON asked (state) WHERE state = 'settled';
      CREATE INDEX asked_turn ON asked (turn_id);
      CREATE INDEX asked_answer ON asked (answer_inbox_id);
    `,
  },
  {
    name: 'persons with roles, strangers at the door',
    up: `
      CREATE TABLE persons (
        name TEXT PRIMARY KEY,
        config_role TEXT CHECK (config_role IN ('owner', 'member', 'guest')),
        given_role TEXT CHECK (given_role IN ('owner', 'member', 'guest', 'stranger')),
        since_ms INTEGER NOT NULL
      ) STRICT;

      ALTER TABLE identities ADD COLUMN link_source TEXT CHECK (link_source IN ('config', 'approved', 'link'));
      UPDATE identities SET link_source = 'config' WHERE linked_as IS NOT NULL;

      CREATE TABLE knocks (
        platform TEXT NOT NULL,
        account TEXT NOT NULL,
        user_id TEXT NOT NULL,
        name TEXT NOT NULL,
        address TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('told', 'pending', 'denied', 'approved')),
        code TEXT UNIQUE,
        expires_at_ms INTEGER,
        told_at_ms INTEGER NOT NULL,
        PRIMARY KEY (platform, account, user_id)
      ) STRICT;
      CREATE INDEX knocks_told ON knocks (platform, account, told_at_ms);

      CREATE TABLE refused (
        platform TEXT NOT NULL,
        account TEXT NOT NULL,
        chat TEXT NOT NULL,
        native_id TEXT NOT NULL,
        refused_at_ms INTEGER NOT NULL,
        PRIMARY KEY (platform, account, chat, native_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX refused_old ON refused (refused_at_ms);

      ALTER TABLE asked ADD COLUMN behalf TEXT;
      CREATE INDEX inbox_person ON inbox (person, received_at_ms);
    `,
  },
  {
    name: 'sessions of lanes, choices of lanes, codes that join accounts',
    up: `
      CREATE TABLE lane_sessions (
        lane TEXT NOT NULL,
        session_id TEXT NOT NULL,
        person TEXT,
        bound_at_ms INTEGER NOT NULL,
        PRIMARY KEY (lane, session_id)
      ) STRICT;
      CREATE INDEX lane_sessions_person ON lane_sessions (person) WHERE person IS NOT NULL;
      INSERT INTO lane_sessions (lane, session_id, person, bound_at_ms)
        SELECT lane, session_id,
          CASE WHEN address LIKE '%:dm:%' THEN (SELECT person FROM inbox WHERE inbox.address = bindings.address LIMIT 1) END,
          bound_at_ms
        FROM bindings;

      CREATE TABLE lane_settings (lane TEXT PRIMARY KEY, model TEXT, agent TEXT) STRICT;

      CREATE TABLE link_codes (
        person TEXT PRIMARY KEY REFERENCES identities (person),
        code TEXT NOT NULL UNIQUE,
        expires_at_ms INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    name: 'what turns used',
    up: `
      CREATE TABLE spent (
        turn_id TEXT PRIMARY KEY REFERENCES turns (id),
        person TEXT NOT NULL,
        room TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL,
        at_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX spent_person ON spent (person, at_ms);
      CREATE INDEX spent_room ON spent (room, at_ms);
    `,
  },
  {
    name: 'leave asked in rooms',
    up: `ALTER TABLE asked ADD COLUMN notice_id TEXT REFERENCES outbox (id);
      CREATE INDEX asked_at ON asked (address) WHERE state = 'open'`,
  },
  linkIndexesMigration,
  unlinkedMigration,
  {
    name: 'rooms as they are now, first sightings, amendments',
    up: roomsSchema + firstSightingsSchema + amendmentsSchema,
  },
  { name: 'what is masked', up: maskSchema },
  { name: 'notes that messages saved', up: savedNotesSchema },
  { name: 'messages that may have been imported', up: takenBackSchema },
  { name: 'messages that others quote', up: quotingSchema },
  { name: 'between who threads are', up: companySchema },
  { name: 'answers that were refused', up: failedSchema },
  standardNames,
  { name: 'the language of accounts', up: localesSchema },
  { name: 'tokens of persons and agents', up: accessTokensSchema },
  { name: 'what was due', up: takenFiringsSchema },
  { name: 'answers that are spoken', up: laneVoiceSchema },
  { name: 'proposals with buttons', up: proposalsSchema },
  { name: 'chats without looks into memory', up: laneActiveMemorySchema },
  { name: 'undelivered answers that were dismissed', up: dismissedSchema },
  { name: 'parts that a platform keeps refusing', up: refusedPartsSchema },
  // conversations are read as their rooms are now: the engine is told of all that are closed
  { name: 'closed rooms are handed over again', up: 'UPDATE rooms SET handed_over = 0 WHERE restricted = 1' },
  { name: 'tokens of persons who left', up: tokensOfLeftSchema },
  { name: 'names of spaces, rooms and threads', up: namedPlacesSchema },
];
