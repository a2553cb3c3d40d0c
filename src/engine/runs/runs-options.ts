// What runs are made of: the tables and services that they use, and their limits. Shapes only.
import type { Clock } from '#base/clock.ts';
import type { DiskFailureHandler } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import type { Tracing } from '#base/tracing.ts';
import type { Artifacts } from '#engine/artifacts/artifacts.ts';
import type { Agents } from '#engine/context/agents.ts';
import type { Context } from '#engine/context/build.ts';
import type { Providers } from '#engine/providers/provider.ts';
import type { AnswerParts } from './answer-task.ts';
import type { Instances } from './instance.ts';
import type { RunTables } from './tables/run-tables.ts';

interface RunLimits {
  /** Of a whole run, tools included. */
  totalMs: number;
  /** Of one answer, in characters. */
  outputChars: number;
}

export interface RunsOptions {
  tables: RunTables;
  storage: DiskFailureHandler;
  parts: AnswerParts;
  providers: Providers;
  artifacts: Pick<Artifacts, 'ofRun'>;
  limits: RunLimits;
  agents: Agents;
  /** The configured MCP servers, whose tools are known once they are connected. */
  servers: readonly string[];
  instances: Instances;
  /** Receives, after a run, how much of the conversation its prompt had. */
  sent(sessionID: string, conversation: Pick<Context, 'leftOut' | 'fullness' | 'bounds'>): void;
  tracing: Tracing;
  clock: Clock;
  log: Log;
}
