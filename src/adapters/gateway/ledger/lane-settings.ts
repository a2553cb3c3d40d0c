// What was chosen for a lane in its chat: another model, another agent.
import type { Sqlite } from '#base/sqlite.ts';

export interface LaneSettings {
  model?: string | undefined;
  agent?: string | undefined;
}

export interface LaneSettingsStore {
  of(lane: string): LaneSettings;
  /** Changes what is named; undefined takes a choice back. */
  set(lane: string, change: LaneSettings): void;
}

/** The table `lane_settings`. */
export function createLaneSettingsStore(database: Sqlite): LaneSettingsStore {
  const get = database.prepare<[string], { model: string | null; agent: string | null }>(
    'SELECT model, agent FROM lane_settings WHERE lane = ?',
  );
  const put = database.prepare(
    `INSERT INTO lane_settings (lane, model, agent) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET model = excluded.model, agent = excluded.agent`,
  );
  const of: LaneSettingsStore['of'] = (lane) => {
    const row = get.get(lane);
    return { model: row?.model ?? undefined, agent: row?.agent ?? undefined };
  };
  return {
    of,
    set(lane, change) {
      const { model, agent } = { ...of(lane), ...change };
      put.run(lane, model ?? null, agent ?? null);
    },
  };
}
