// The tables of gateway.sqlite. Statements are in the store of each table.
import { firstTables, type Migration } from '#base/sqlite/sqlite.ts';

const tables = `
-- One for each answer that is being made or was made.
CREATE TABLE turns (
  id TEXT PRIMARY KEY,
  lane TEXT NOT NULL,
  address TEXT NOT NULL,
  reply_to TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'answered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  session_id TEXT,
  run_id TEXT,
  created_at_ms INTEGER NOT NULL,
  run_key TEXT
) STRICT;
CREATE INDEX turns_open ON turns (id) WHERE state = 'running';

-- Which bot of the config an account on a platform is, for bots with a name.
CREATE TABLE bot_accounts (
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (platform, account)
) STRICT, WITHOUT ROWID;

-- Every accepted message, once, until it has its one visible outcome. The index on what messages quote reaches those that quote one
-- that goes.
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
  deleted_at_ms INTEGER,
  masked INTEGER NOT NULL DEFAULT 0,
  UNIQUE (platform, account, chat, native_id)
) STRICT;
CREATE INDEX inbox_waiting ON inbox (lane, id) WHERE state = 'waiting';
CREATE INDEX inbox_address ON inbox (address);
CREATE INDEX inbox_turn ON inbox (turn_id);
CREATE INDEX inbox_person ON inbox (person, received_at_ms);
CREATE INDEX inbox_room ON inbox (platform, account, chat, received_at_ms);
CREATE INDEX inbox_unmasked ON inbox (id) WHERE masked = 0;
CREATE INDEX inbox_quoting ON inbox (json_extract(event, '$.quoted.nativeID'))
  WHERE json_extract(event, '$.quoted.nativeID') IS NOT NULL;

-- The messages in which an answer is shown while it is written.
CREATE TABLE previews (
  turn_id TEXT NOT NULL REFERENCES turns (id),
  ordinal INTEGER NOT NULL,
  key TEXT NOT NULL,
  native_id TEXT,
  posted_at_ms INTEGER,
  PRIMARY KEY (turn_id, ordinal)
) STRICT;

-- Answers on their way. handing over: all parts are sent, and the engine is to know. dismissed_at_ms: an operator does not want to see
-- it listed as undelivered any more.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  address TEXT NOT NULL,
  reply_to TEXT,
  turn_id TEXT REFERENCES turns (id),
  run_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'handing over', 'done', 'failed')),
  error TEXT,
  created_at_ms INTEGER NOT NULL,
  masked INTEGER NOT NULL DEFAULT 0,
  dismissed_at_ms INTEGER
) STRICT;
CREATE INDEX outbox_open ON outbox (id) WHERE state IN ('open', 'handing over');
CREATE UNIQUE INDEX outbox_one_of_turn ON outbox (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX outbox_unmasked ON outbox (id) WHERE masked = 0;
CREATE INDEX outbox_failed ON outbox (created_at_ms) WHERE state = 'failed';

-- Since when a part is refused without end, how often and in which words, and when it was given up.
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
  refusals INTEGER NOT NULL DEFAULT 0,
  refused_since_ms INTEGER,
  refused_words TEXT,
  given_up_at_ms INTEGER,
  PRIMARY KEY (outbox_id, ordinal)
) STRICT;
CREATE INDEX outbox_parts_native ON outbox_parts (native_id) WHERE native_id IS NOT NULL;
CREATE INDEX outbox_parts_given_up ON outbox_parts (given_up_at_ms) WHERE given_up_at_ms IS NOT NULL;

-- How far the stream of each bot was read.
CREATE TABLE cursors (
  bot TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (bot, name)
) STRICT;

-- Accounts. Display names are shown, never compared. linked_as names the person; locale is what the account's app is set to; whom blocked_at_ms is set for is not answered.
CREATE TABLE identities (
  person TEXT PRIMARY KEY,
  platform TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  linked_as TEXT,
  link_source TEXT CHECK (link_source IN ('config', 'approved', 'link')),
  locale TEXT,
  blocked_at_ms INTEGER,
  UNIQUE (platform, user_id)
) STRICT;
CREATE INDEX identities_linked ON identities (linked_as) WHERE linked_as IS NOT NULL;

-- Which accounts were seen where, and since when.
CREATE TABLE sightings (
  person TEXT NOT NULL REFERENCES identities (person),
  audience TEXT NOT NULL,
  space TEXT,
  seen_at_ms INTEGER NOT NULL,
  first_seen_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (person, audience)
) STRICT;
CREATE INDEX sightings_space ON sightings (space, person);

-- A chat that moved: what was written in the old one belongs to the new one.
CREATE TABLE chat_migrations (
  new_room TEXT PRIMARY KEY,
  old_room TEXT NOT NULL,
  moved_at_ms INTEGER NOT NULL
) STRICT;

-- Changed words of messages whose turn has begun, and reactions to answers.
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY,
  inbox_id TEXT NOT NULL REFERENCES inbox (id),
  lane TEXT NOT NULL,
  text TEXT NOT NULL,
  edited_at_ms INTEGER NOT NULL,
  turn_id TEXT REFERENCES turns (id),
  masked INTEGER NOT NULL DEFAULT 0,
  reaction TEXT
) STRICT;
CREATE INDEX corrections_untold ON corrections (lane, id) WHERE turn_id IS NULL;
CREATE INDEX corrections_inbox ON corrections (inbox_id);
CREATE INDEX corrections_turn ON corrections (turn_id);
CREATE INDEX corrections_unmasked ON corrections (id) WHERE masked = 0;

-- What became of the files that came with a message.
CREATE TABLE received_files (
  inbox_id TEXT NOT NULL REFERENCES inbox (id),
  ordinal INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (inbox_id, ordinal)
) STRICT;

-- What runs ask people in chats.
CREATE TABLE posted_requests (
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
  outcome TEXT,
  behalf TEXT,
  notice_id TEXT REFERENCES outbox (id),
  masked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX asked_open ON posted_requests (lane, person) WHERE state = 'open';
CREATE INDEX asked_settled ON posted_requests (state) WHERE state = 'settled';
CREATE INDEX asked_turn ON posted_requests (turn_id);
CREATE INDEX asked_answer ON posted_requests (answer_inbox_id);
CREATE INDEX asked_at ON posted_requests (address) WHERE state = 'open';
CREATE INDEX asked_unmasked ON posted_requests (id) WHERE masked = 0;

-- The role in the config, and the one that an owner gave.
CREATE TABLE persons (
  name TEXT PRIMARY KEY,
  config_role TEXT CHECK (config_role IN ('owner', 'member', 'guest')),
  assigned_role TEXT CHECK (assigned_role IN ('owner', 'member', 'guest', 'stranger')),
  since_ms INTEGER NOT NULL
) STRICT;

-- Strangers who wrote, and what they were told.
CREATE TABLE pairing_requests (
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('told', 'pending', 'denied', 'approved')),
  code TEXT UNIQUE,
  expires_at_ms INTEGER,
  told_at_ms INTEGER NOT NULL,
  locale TEXT,
  PRIMARY KEY (platform, account, user_id)
) STRICT;
CREATE INDEX knocks_told ON pairing_requests (platform, account, told_at_ms);

-- Ids of messages that were not accepted, and nothing of what they said.
CREATE TABLE refused_messages (
  platform TEXT NOT NULL,
  account TEXT NOT NULL,
  chat TEXT NOT NULL,
  native_id TEXT NOT NULL,
  refused_at_ms INTEGER NOT NULL,
  PRIMARY KEY (platform, account, chat, native_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_old ON refused_messages (refused_at_ms);

-- Every session that a chat had, and whose it is where only one person speaks. said: whether it was spoken in.
CREATE TABLE lane_sessions (
  lane TEXT NOT NULL,
  session_id TEXT NOT NULL,
  person TEXT,
  bound_at_ms INTEGER NOT NULL,
  said INTEGER NOT NULL DEFAULT 1 CHECK (said IN (0, 1)),
  PRIMARY KEY (lane, session_id)
) STRICT;
CREATE INDEX lane_sessions_person ON lane_sessions (person) WHERE person IS NOT NULL;
CREATE INDEX lane_sessions_session ON lane_sessions (session_id, person) WHERE person IS NOT NULL;

-- What was chosen for a chat.
CREATE TABLE lane_settings (
  lane TEXT PRIMARY KEY,
  model TEXT,
  agent TEXT,
  voice INTEGER,
  active_memory INTEGER
) STRICT;

-- Codes by which a person joins two accounts.
CREATE TABLE link_codes (
  person TEXT PRIMARY KEY REFERENCES identities (person),
  code TEXT NOT NULL UNIQUE,
  expires_at_ms INTEGER NOT NULL
) STRICT;

-- What turns used of models, by person and room, so that limits hold where people talk.
CREATE TABLE turn_usage (
  turn_id TEXT PRIMARY KEY REFERENCES turns (id),
  person TEXT NOT NULL,
  room TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  cost_usd REAL NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX spent_person ON turn_usage (person, at_ms);
CREATE INDEX spent_room ON turn_usage (room, at_ms);
CREATE INDEX spent_at ON turn_usage (at_ms);

-- The session of each chat; none after accounts that shared it were un-linked.
CREATE TABLE bindings (
  lane TEXT PRIMARY KEY,
  address TEXT NOT NULL,
  session_id TEXT,
  bound_at_ms INTEGER NOT NULL
) STRICT;

-- Rooms as they are now: where each is, and whether everyone of its space may read it. unsure: it was open, and the platform did not say so
-- when it was asked again. handed_over: the engine knows.
CREATE TABLE rooms (
  audience TEXT PRIMARY KEY,
  address TEXT NOT NULL,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  unsure INTEGER NOT NULL DEFAULT 0 CHECK (unsure IN (0, 1)),
  handed_over INTEGER NOT NULL CHECK (handed_over IN (0, 1))
) STRICT;
CREATE INDEX rooms_left ON rooms (audience) WHERE handed_over = 0;

-- What people think of answers, until the engine has it.
CREATE TABLE given_feedback (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  person TEXT NOT NULL,
  feedback TEXT NOT NULL
) STRICT;

-- What the platforms call the spaces, rooms and threads in which something was said to the bot.
-- handed_over: the engine knows.
CREATE TABLE place_names (
  place TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  handed_over INTEGER NOT NULL CHECK (handed_over IN (0, 1))
) STRICT;
CREATE INDEX place_names_left ON place_names (place) WHERE handed_over = 0;

-- Changes of messages after their runs had begun, until the engine has them: changed words, and deletions.
CREATE TABLE amendments (
  id INTEGER PRIMARY KEY,
  inbox_id TEXT NOT NULL REFERENCES inbox (id),
  was TEXT NOT NULL,
  now TEXT,
  at_ms INTEGER NOT NULL
) STRICT;

-- Notes that messages saved: a note goes with its message.
CREATE TABLE saved_notes (
  inbox_id TEXT PRIMARY KEY REFERENCES inbox (id),
  memory_id TEXT NOT NULL,
  audience TEXT NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1))
) STRICT;
CREATE INDEX saved_notes_deleted ON saved_notes (inbox_id) WHERE is_deleted = 1;

-- Messages of rooms that were changed or deleted, until the engine knows: an import may have brought them into memory.
CREATE TABLE taken_back (
  audience TEXT NOT NULL,
  native_id TEXT NOT NULL,
  PRIMARY KEY (audience, native_id)
) STRICT, WITHOUT ROWID;

-- Between whom a thread is: the bot and one person, or more.
CREATE TABLE company (
  address TEXT PRIMARY KEY,
  actor TEXT NOT NULL,
  is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
  since_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was due and is this gateway's to send.
CREATE TABLE taken_firings (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('schedule', 'hook')),
  source_id TEXT NOT NULL,
  person TEXT,
  address TEXT NOT NULL,
  outbox_id TEXT,
  inbox_id TEXT,
  refusal TEXT CHECK (refusal IN ('refused', 'skipped')),
  reason TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'over')),
  taken_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX taken_firings_open ON taken_firings (id) WHERE state = 'open';

-- How the engine knows this gateway.
CREATE TABLE gateway_name (name TEXT NOT NULL) STRICT;

-- Proposals with buttons: a decided one loses its buttons.
CREATE TABLE proposals (
  outbox_id TEXT PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  is_decided INTEGER NOT NULL DEFAULT 0 CHECK (is_decided IN (0, 1))
) STRICT;
CREATE INDEX proposals_id ON proposals (id);
CREATE INDEX proposals_decided ON proposals (outbox_id) WHERE is_decided = 1;

-- Tokens of persons and agents. A token stays when its person goes: with the accounts that the person had then, by which they are known
-- again.
CREATE TABLE access_tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  person TEXT,
  agent TEXT,
  left_accounts TEXT CHECK (json_valid(left_accounts)),
  read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  used_at_ms INTEGER,
  CHECK ((person IS NULL) <> (agent IS NULL))
) STRICT;
CREATE INDEX access_tokens_person ON access_tokens (person) WHERE person IS NOT NULL;

-- Changes that memory refuses: how often, since when, and when one was set aside.
CREATE TABLE refused_changes (
  change TEXT PRIMARY KEY,
  refusals INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  set_aside_at_ms INTEGER
) STRICT, WITHOUT ROWID;
`;

/** In order, never edited once shipped: a change of a table is a new entry. */
export const gatewayMigrations: readonly Migration[] = [firstTables(tables)];
