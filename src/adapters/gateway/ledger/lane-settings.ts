// What was chosen for a lane in its chat: another model, another agent, answers that are spoken too, no looks into memory.
import type { Sqlite } from '#base/sqlite.ts';

export interface LaneSettings {
  model?: string | undefined;
  agent?: string | undefined;
  /** Each answer comes as a voice message too. */
  voice?: true | undefined;
  /** No look into memory before an answer, where the config has one. */
  activeMemory?: false | undefined;
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
  const of: LaneSettingsStore['of'] = (lane) => {
    const row = get.get(lane);
    return {
      model: row?.model ?? undefined,
      agent: row?.agent ?? undefined,
      voice: row?.voice === 1 ? true : undefined,
      activeMemory: row?.active_memory === 0 ? false : undefined,
    };
  };
  return {
    of,
    set(lane, change) {
      const { model, agent, voice, activeMemory } = { ...of(lane), ...change };
      const looks = activeMemory === false ? 0 : null;
      put.run(lane, model ?? null, agent ?? null, voice === true ? 1 : null, looks);
    },
  };
}
