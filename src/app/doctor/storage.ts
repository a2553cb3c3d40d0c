// The doctor on the database that instances share: whether it can be used as it is set, and who leads which bot. Makes no tables.
import { postgresSchemas } from '#app/compose/open-storage.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { leaderWords } from '#app/screen/storage-words.ts';
import { accountOf, botsOf } from '#app/settings/channels.ts';
import { storageOf } from '#app/settings/storage.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { type PostgresSettings, postgresAddress } from '#base/postgres/address.ts';
import { leadersOf } from '#base/postgres/leadership.ts';
import { openLockSession } from '#base/postgres/lock-session.ts';
import { refuseNewer } from '#base/postgres/migrations.ts';
import { openPostgres, type Queryable, refuseUnfitServer } from '#base/postgres/postgres.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

interface StorageFindings {
  remarks: Diagnostic[];
  /** The accounts that some instance leads now, as `accountOf` names them. */
  led: ReadonlySet<string>;
}

/** What is wrong with the shared database, or that it answers; nothing where none is set. */
export async function checkStorage(
  loaded: Pick<LoadedConfig, 'config' | 'environment' | 'folder'>,
  clock: Clock,
): Promise<StorageFindings> {
  try {
    const settings = storageOf(loaded);
    return settings === undefined
      ? { remarks: [], led: new Set() }
      : await asked(loaded, { settings, clock });
  } catch (error) {
    const hint = hintOf(error) ?? 'Look at the log of the database.';
    return { remarks: [errorFinding(errorMessage(error), hint)], led: new Set() };
  }
}

async function asked(
  { config, environment }: Pick<LoadedConfig, 'config' | 'environment'>,
  { settings, clock }: { settings: PostgresSettings; clock: Clock },
): Promise<StorageFindings> {
  const postgres = await openPostgres(settings, { clock });
  try {
    (await openLockSession(postgres, { clock })).end();
    const begun = performance.now();
    const bots = botsOf(config.channels, environment).map((bot) => ({ name: bot.name, key: accountOf(bot) }));
    const { leaders, foreign } = await postgres.transaction(async (database) => {
      await refuseUnfitServer(database, postgres.place);
      const isMade = await refuseNewer(database, { schemas: postgresSchemas, place: postgres.place });
      if (!isMade) return { leaders: [], foreign: [] };
      const keys = bots.map(({ key }) => key);
      return { foreign: await foreignTables(database), leaders: await leadersOf(database, keys) };
    });
    const ms = Math.ceil(performance.now() - begun);
    return {
      remarks: [
        ok(`PostgreSQL answers in ${ms} ms: ${postgres.place}.`),
        ...unchecked(settings),
        ...owned(foreign),
        ...bots.map(({ name, key }) => {
          const last = leaders.find(({ account }) => account === key);
          const { instance: leader = null, isHeld = false, sinceMs = null } = last ?? {};
          return ok(`${name}: ${leaderWords({ leads: false, leader, isHeld, fence: null, sinceMs })}.`);
        }),
      ],
      led: new Set(leaders.flatMap(({ account, isHeld }) => (isHeld ? [account] : []))),
    };
  } finally {
    await postgres.close();
  }
}

interface ForeignTable {
  name: string;
  owner: string;
  /** What this user may not do in it. */
  lacks: string[];
}

/** The tables of Parley that belong to a user whose rights this one does not have. */
async function foreignTables(database: Queryable): Promise<ForeignTable[]> {
  return database.query<ForeignTable & Record<string, unknown>>(
    `SELECT relname AS name, pg_get_userbyid(relowner) AS owner,
            ARRAY(SELECT word FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY AS words (word, place)
                  WHERE NOT has_table_privilege(oid, word) ORDER BY place) AS lacks
     FROM pg_class WHERE relkind = 'r' AND relname LIKE 'parley\\_%' AND pg_table_is_visible(oid) AND NOT pg_has_role(relowner, 'USAGE')
     ORDER BY relname`,
  );
}

/** What a start, or the next version, is refused for. */
function owned(tables: readonly ForeignTable[]): Diagnostic[] {
  const owners = [...new Set(tables.map(({ owner }) => owner))].join(', ');
  const names = (of: readonly ForeignTable[]): string => of.map(({ name }) => name).join(', ');
  const closed = tables.filter(({ lacks }) => lacks.length > 0);
  const hint = 'Make this user the owner of each: run there "ALTER TABLE NAME OWNER TO USER".';
  if (closed.length > 0) {
    const lacks = [...new Set(closed.flatMap((each) => each.lacks))].join(', ');
    return [
      errorFinding(`Tables belong to ${owners}, and this user lacks ${lacks} in ${names(closed)}.`, hint),
    ];
  }
  if (tables.length === 0) return [];
  return [
    warning(
      `Tables belong to ${owners}: ${names(tables)}. They can be used, and a newer version of Parley cannot change them.`,
      hint,
    ),
  ];
}

function unchecked(settings: PostgresSettings): Diagnostic[] {
  if (postgresAddress(settings).tls !== 'require') return [];
  return [
    warning(
      'The connection to PostgreSQL is encrypted, but nobody checks that it is this server.',
      'Write sslmode=verify-full into the URL, and name the file of the authority as `storage.caFile` where it is not a public one.',
    ),
  ];
}
