// The migration after which un-linked accounts have nothing of each other. Like the others in schema.ts, it is never edited.
import type { Migration } from '#base/sqlite/sqlite.ts';

/** Lanes without a session, who has spoken in which session, runs that leave a session, and persons without a name. */
export const unlinkedMigration: Migration = {
  name: 'accounts that are un-linked',
  up: `
    -- NULL: the next message of the lane begins a session
    CREATE TABLE new_bindings (
      lane TEXT PRIMARY KEY,
      address TEXT NOT NULL,
      session_id TEXT,
      bound_at_ms INTEGER NOT NULL
    ) STRICT;
    INSERT INTO new_bindings SELECT lane, address, session_id, bound_at_ms FROM bindings;
    DROP TABLE bindings;
    ALTER TABLE new_bindings RENAME TO bindings;

    -- 1 once the account has said something in the session; of an older row it is not known, and 1 is the safe answer
    ALTER TABLE lane_sessions ADD COLUMN said INTEGER NOT NULL DEFAULT 1 CHECK (said IN (0, 1));
    CREATE INDEX lane_sessions_session ON lane_sessions (session_id, person) WHERE person IS NOT NULL;

    -- the key of the run and of its session; the id of the turn when NULL
    ALTER TABLE turns ADD COLUMN run_key TEXT;

    -- Who joined accounts by a code had the display name for a name, which the config and the operator could give to somebody else.
    -- 'stranger' marks such a person; where a name has got a role from the config since, what the code joined is separate again.
    CREATE TABLE joined AS
      SELECT p.name, 'unnamed:' || min(i.person) AS now_named, p.since_ms
      FROM persons p JOIN identities i ON i.linked_as = p.name AND i.link_source = 'link'
      WHERE p.given_role = 'stranger' GROUP BY p.name;
    INSERT INTO persons (name, config_role, given_role, since_ms) SELECT now_named, NULL, 'stranger', since_ms FROM joined;
    UPDATE identities SET linked_as = joined.now_named FROM joined
      WHERE joined.name = identities.linked_as AND identities.link_source = 'link';
    DELETE FROM persons WHERE config_role IS NULL AND name IN (SELECT name FROM joined);
    UPDATE persons SET given_role = NULL WHERE name IN (SELECT name FROM joined);
    DROP TABLE joined;
  `,
};

/** Indexes of links, of spending and of rooms. */
export const linkIndexesMigration: Migration = {
  // most are linked to nobody: with them in it, SQLite took the index for useless once it had counted
  name: 'indexes of links only, and of spending and rooms by time',
  up: `
    DROP INDEX identities_linked;
    CREATE INDEX identities_linked ON identities (linked_as) WHERE linked_as IS NOT NULL;
    CREATE INDEX spent_at ON spent (at_ms);
    CREATE INDEX inbox_room ON inbox (platform, account, chat, received_at_ms);
  `,
};
