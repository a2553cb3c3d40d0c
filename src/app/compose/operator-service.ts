// What the person who runs the program sees and changes of it while it runs: the configuration, the log, backups.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBackups, createRestores } from '#app/backup/backup-service.ts';
import { changedKeys, isLive } from '#app/config/changed-keys.ts';
import { type Config, configJsonSchema, configSchema } from '#app/config/schema.ts';
import { describeConfigError, keysAt } from '#app/config/words.ts';
import { createDoctorService } from '#app/running/doctor-service.ts';
import { contentTag } from '#base/content-tag.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { replaceWhole } from '#base/files/files.ts';
import { lazy } from '#base/lazy.ts';
import { type ConfigurationCheck, type LogLines, logLevels } from '#engine/wire/operator/operator.ts';
import type { OperatorService } from '#engine/wire/operator/operator-operations.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { ProcessContext } from './process-context.ts';
import { createSecretSettings } from './secret-settings.ts';

type Context = Pick<ProcessContext, 'loaded' | 'live' | 'clock' | 'log' | 'logTail' | 'stack'>;

/** What the operator's console may do with a running part; what it began ends with the part. The engine's memory has the audit. */
export function createOperatorService(
  context: Context,
  engine: Pick<EngineService, 'noteSetting'>,
): OperatorService {
  const { loaded, live, logTail, clock, stack } = context;
  const home = { home: loaded.home, clock };
  const envFile = join(loaded.folder, '.env');
  const doctor = createDoctorService(loaded, clock);
  stack.defer(() => doctor.end());
  const defaults = configSchema.parse({});
  const text = (): string => (existsSync(loaded.file) ? readFileSync(loaded.file, 'utf8') : '{}\n');
  const check = (given: string): ConfigurationCheck => {
    const { config, problems } = parsed(given, envFile);
    const before = parsed(text(), envFile).config ?? loaded.config;
    if (config === undefined) return { problems, changes: [] };
    const changes = changedKeys(before, config).map((key) => ({
      key,
      from: valueAt(before, key) ?? null,
      to: valueAt(config, key) ?? null,
      live: isLive(key),
    }));
    return { problems, changes };
  };
  const describing = lazy(describer);
  return {
    async configuration() {
      const now = text();
      const describedAt = describing();
      const written = parsedObject(now);
      const { readAtMs, pendingRestart, error } = live.standing();
      return {
        file: loaded.file,
        exists: existsSync(loaded.file),
        text: now,
        tag: contentTag(now),
        ...{ readAtMs, pendingRestart, error },
        keys: leaves([]).map((key) => ({
          key,
          ...describedAt(key),
          value: valueAt(loaded.config, key) ?? null,
          default: valueAt(defaults, key) ?? null,
          source: valueAt(written, key) === undefined ? 'default' : 'file',
          live: isLive(key),
        })),
      };
    },
    checkConfiguration: async ({ text: given }) => check(given),
    async writeConfiguration({ text: given, tag }) {
      const { problems } = check(given);
      if (problems.length > 0) throw new ParleyError('config_invalid', problems.join(' '));
      // two owners may write at once: what counts is what the file holds when it is replaced
      const isStill = (): boolean => contentTag(text()) === tag;
      if (!isStill() || !(await replaceWhole(loaded.file, { content: given, isStill })))
        throw new ParleyError('config_changed', 'The config file was changed in the meantime.', {
          hint: 'Read it again, and make the change in what it holds now.',
        });
      const done = await live.reload();
      if (done.status === 'refused') throw new ParleyError('config_invalid', done.words);
      const { now = [], pendingRestart = [] } = done.status === 'changed' ? done : {};
      return { tag: contentTag(given), now, pendingRestart };
    },
    async logLines({ after }) {
      const found = logTail.after(after);
      return { lines: found.map(lineOf), last: found.at(-1)?.seq ?? after };
    },
    ...createSecretSettings(context, (by, how) => engine.noteSetting({ by, how })),
    ...createBackups(home),
    ...createRestores(home),
    ...doctor,
  };
}

/** What the config's JSON Schema says of a key: the sentence, and the rest. */
function describer(): (key: string) => { description: string; schema: Record<string, unknown> } {
  const whole = configJsonSchema();
  return (key) => {
    const found = valueAt(whole, `properties.${key.split('.').join('.properties.')}`);
    const { description = '', ...schema } = { ...(found as Record<string, unknown> | undefined) }; // JSON Schema's own shape
    return { description: String(description), schema };
  };
}

/** The keys that hold values, as docs/configuration.md names them. */
function leaves(path: readonly string[]): string[] {
  const keys = keysAt(configSchema, path).filter((key) => key !== '$schema');
  if (keys.length === 0) return [path.join('.')];
  return keys.flatMap((key) => leaves([...path, key]));
}

function parsed(text: string, envFile: string): { config?: Config; problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [`It is not valid JSON: ${errorMessage(error)}.`] };
  }
  const result = configSchema.safeParse(value, { reportInput: true });
  if (result.success) return { config: result.data, problems: [] };
  return { problems: describeConfigError(result.error, configSchema, envFile) };
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // the error is in `error`
  }
}

function valueAt(value: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (here, name) => (typeof here === 'object' && here !== null ? Reflect.get(here, name) : undefined),
      value,
    );
}

/** A line of pino's JSON; one that is none is its own message. */
function lineOf({ seq, line }: { seq: number; line: string }): LogLines['lines'][number] {
  try {
    const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>; // pino's own shape
    const name = logLevels[Math.round(Number(level) / 10) - 1] ?? 'info';
    return { seq, atMs: Number(time), level: name, message: String(msg ?? ''), fields };
  } catch {
    return { seq, atMs: 0, level: 'info', message: line, fields: {} };
  }
}
