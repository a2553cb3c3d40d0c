// Every key of parley.config.json, with its default and what it is for: the one place that knows. Secrets are not in it.
import { z } from 'zod';
import { isTimeZone } from '#base/time-zone.ts';
import { approvals, limits, peopleSchema } from './access-schema.ts';
import { agentSchema, agents, language, mcpServer, toolsSchema } from './agent-schema.ts';
import { wrongAssistantNames, wrongBindings } from './assistant-names.ts';
import { assistants, bindings } from './assistant-schema.ts';
import { channelsSchema } from './channel-schema.ts';
import { gateway } from './gateway-schema.ts';
import { memorySchema } from './memory/memory-schema.ts';
import { model } from './model-schema.ts';
import { wrongToolNames } from './named-tools.ts';
import { networkSchema } from './network-schema.ts';
import { retention, runsSchema, sessionsSchema, uploadsSchema } from './retention-schema.ts';
import { schedulesSchema } from './schedule-schema.ts';
import { storageSchema } from './storage-schema.ts';

const engine = z.strictObject({
  host: z.string().default('127.0.0.1').describe('Address to listen on.'),
  port: z.int().min(0).max(65535).default(7410).describe('Port to listen on; 0 takes a free one.'),
  allowedHosts: z
    .array(z.string().regex(/^[\w.-]+(:\d{1,5})?$/, 'expected a host name, with or without a port'))
    .default([])
    .describe('Other names by which it may be called, like `parley.lan` or `parley.lan:80`.'),
  exposeSandbox: z
    .boolean()
    .default(false)
    .describe(
      'Lets the sandbox listen on a `host` that other machines reach. Anyone who has its link speaks as the owner.',
    ),
});

const feedback = z.strictObject({
  webhook: z
    .url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' })
    .optional()
    .describe(
      'Address that is called with what people think of answers (thumbs), signed with PARLEY_FEEDBACK_SECRET.',
    ),
});

const keys = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema.'),
  home: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the databases, relative to this file. PARLEY_HOME wins. Default: .parley'),
  language,
  timeZone: z
    .string()
    .refine(isTimeZone, 'expected the name of a time zone, like Europe/Berlin')
    .optional()
    .describe('Time zone of people who set none with `/zone`, like Europe/Berlin. Default: UTC'),
  agent: agentSchema.prefault({}),
  agents,
  assistants,
  bindings,
  model: model.prefault({}),
  tools: toolsSchema.prefault({}),
  mcp: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,20}$/), mcpServer)
    .default({})
    .describe('MCP servers by name: `command`, `args`, `env`, or `url` and `headers`.'),
  engine: engine.prefault({}),
  network: networkSchema.prefault({}),
  memory: memorySchema.prefault({}),
  channels: channelsSchema.prefault({}),
  people: peopleSchema,
  approvals: approvals.prefault({}),
  feedback: feedback.prefault({}),
  limits: limits.prefault({}),
  schedules: schedulesSchema.prefault({}),
  gateway: gateway.prefault({}),
  uploads: uploadsSchema.prefault({}),
  runs: runsSchema.prefault({}),
  sessions: sessionsSchema.prefault({}),
  retention: retention.prefault({}),
  storage: storageSchema.prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
        .default('warn')
        .describe(
          'Least severity of log lines, on standard error: JSON, and words where that is a terminal.',
        ),
    })
    .prefault({}),
});

export type Config = z.infer<typeof keys>;

export const configSchema = keys.superRefine((config, { addIssue }) => {
  for (const { path, message } of wrongToolNames(config)) addIssue({ code: 'custom', path, message });
  for (const { path, message } of [...wrongAssistantNames(config), ...wrongBindings(config)])
    addIssue({ code: 'custom', path, message });
  // which rooms are open is known to one instance alone, so that nothing of a room may hang on it
  if (config.storage.memory === 'shared' && config.memory.sharing !== 'room')
    addIssue({
      code: 'custom',
      path: ['memory', 'sharing'],
      message: `expected "room", which a shared memory (storage.memory) needs, got "${config.memory.sharing}"`,
    });
});

/** The JSON Schema of the config file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
