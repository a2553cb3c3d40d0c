// What was chosen for a lane in its chat, for every assistant there: another model, another assistant, answers that are spoken too, no looks into memory. What a thread
// has not chosen itself is what its room has.
import { baseOf, roomLaneOf } from '#adapters/gateway/ledger/lane-name.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface LaneSettings {
  model?: string | undefined;
  agent?: string | undefined;
  /** Whether each answer comes as a voice message too; it does not when absent. */
  voice?: boolean | undefined;
  /** Whether a look into memory precedes the answers, where the config has one. */
  activeMemory?: boolean | undefined;
}

export interface LaneSettingsStore {
  /** What holds in the lane: its choices, and for the others those of the room that its thread is in. */
  of(lane: string): LaneSettings;
  /** Changes what is named; undefined takes a choice back, so that a thread follows its room again. */
  set(lane: string, change: LaneSettings): void;
  /** Takes back the choice of an agent that no longer exists, also where it is the room's. */
  dropAgent(lane: string, agent: string): void;
}

/** The table `lane_settings`. */
export function createLaneSettingsStore(database: Sqlite): LaneSettingsStore {
  const get = database.prepare<
    [string],
    { model: string | null; agent: string | null; voice: number | null; active_memory: number | null }
  >('SELECT model, agent, voice, active_memory FROM lane_settings WHERE lane = ?');
  const put = database.prepare(
    `INSERT INTO lane_settings (lane, model, agent, voice, active_memory) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET model = excluded.model, agent = excluded.agent, voice = excluded.voice,
       active_memory = excluded.active_memory`,
  );
  const drop = database.prepare('UPDATE lane_settings SET agent = NULL WHERE lane IN (?, ?) AND agent = ?');
  const some = createRareRows(database, "lane_settings WHERE lane > ''");
  const own = (lane: string): LaneSettings => {
    const row = some.exist() ? get.get(lane) : undefined;
    return {
      model: row?.model ?? undefined,
      agent: row?.agent ?? undefined,
      voice: row?.voice == null ? undefined : row.voice === 1,
      activeMemory: row?.active_memory == null ? undefined : row.active_memory === 1,
    };
  };
  return {
    of(name) {
      const lane = baseOf(name);
      const room = own(roomLaneOf(lane));
      const chosen = own(lane);
      return {
        model: chosen.model ?? room.model,
        agent: chosen.agent ?? room.agent,
        voice: chosen.voice ?? room.voice,
        activeMemory: chosen.activeMemory ?? room.activeMemory,
      };
    },
    set(name, change) {
      const lane = baseOf(name);
      const { model, agent, voice, activeMemory } = { ...own(lane), ...change };
      some.written();
      put.run(lane, model ?? null, agent ?? null, numberOf(voice), numberOf(activeMemory));
    },
    dropAgent: (lane, agent) => void drop.run(baseOf(lane), roomLaneOf(baseOf(lane)), agent),
  };
}

const numberOf = (choice: boolean | undefined): number | null =>
  choice === undefined ? null : Number(choice);
