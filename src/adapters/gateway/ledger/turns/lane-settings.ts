// What was chosen for a lane in its chat: another model, another agent, answers that are spoken too, no looks into memory.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface LaneSettings {
  model?: string | undefined;
  agent?: string | undefined;
  /** Each answer comes as a voice message too. */
  voice?: true | undefined;
  /** Whether a look into memory precedes the answers, where the config has one; a thread has what its room has, unless it has its own. */
  activeMemory?: boolean | undefined;
}

export const laneVoiceSchema = 'ALTER TABLE lane_settings ADD COLUMN voice INTEGER;';
export const laneActiveMemorySchema = 'ALTER TABLE lane_settings ADD COLUMN active_memory INTEGER;';

export interface LaneSettingsStore {
  of(lane: string): LaneSettings;
  /** Changes what is named; undefined takes a choice back. */
  set(lane: string, change: LaneSettings): void;
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
  const own = (lane: string): LaneSettings => {
    const row = get.get(lane);
    return {
      model: row?.model ?? undefined,
      agent: row?.agent ?? undefined,
      voice: row?.voice === 1 ? true : undefined,
      activeMemory: row?.active_memory == null ? undefined : row.active_memory === 1,
    };
  };
  return {
    of(lane) {
      const { activeMemory = own(roomLaneOf(lane)).activeMemory, ...settings } = own(lane);
      return { ...settings, activeMemory };
    },
    set(lane, change) {
      const { model, agent, voice, activeMemory } = { ...own(lane), ...change };
      const looks = activeMemory === undefined ? null : Number(activeMemory);
      put.run(lane, model ?? null, agent ?? null, voice === true ? 1 : null, looks);
    },
  };
}

/** The lane of the room of a thread, of the same person where each has their own; the same lane for one that is in no thread. */
function roomLaneOf(lane: string): string {
  return lane.replace(/:[^:#]*(#.*)?$/, ':-$1');
}
