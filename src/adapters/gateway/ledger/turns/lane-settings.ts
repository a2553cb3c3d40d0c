// What was chosen for a lane in its chat: another model, another agent, answers that are spoken too.
import type { Sqlite } from '#base/sqlite.ts';

export interface LaneSettings {
  model?: string | undefined;
  agent?: string | undefined;
  /** Each answer comes as a voice message too. */
  voice?: true | undefined;
}

export const laneVoiceSchema = 'ALTER TABLE lane_settings ADD COLUMN voice INTEGER;';

export interface LaneSettingsStore {
  of(lane: string): LaneSettings;
  /** Changes what is named; undefined takes a choice back. */
  set(lane: string, change: LaneSettings): void;
}

/** The table `lane_settings`. */
export function createLaneSettingsStore(database: Sqlite): LaneSettingsStore {
  const get = database.prepare<
    [string],
    { model: string | null; agent: string | null; voice: number | null }
  >('SELECT model, agent, voice FROM lane_settings WHERE lane = ?');
  const put = database.prepare(
    `INSERT INTO lane_settings (lane, model, agent, voice) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET model = excluded.model, agent = excluded.agent, voice = excluded.voice`,
  );
  const of: LaneSettingsStore['of'] = (lane) => {
    const row = get.get(lane);
    return {
      model: row?.model ?? undefined,
      agent: row?.agent ?? undefined,
      voice: row?.voice === 1 ? true : undefined,
    };
  };
  return {
    of,
    set(lane, change) {
      const { model, agent, voice } = { ...of(lane), ...change };
      put.run(lane, model ?? null, agent ?? null, voice === true ? 1 : null);
    },
  };
}
