// `parley events`: what the running engine does, as it happens, and what a run told before, a line for each event.
import { z } from 'zod';
import { callEngine, type EngineAction, limitField, oneID } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { row } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { runEvents } from './run-events.ts';

const id = z.string().min(1).max(100).optional();
const schema = z.object({ session: id, run: id, limit: limitField });
type Values = z.infer<typeof schema>;

/** Runs until it is interrupted, or the run that it follows has ended; resolves with 0. */
export function events(input: CommandInput): Promise<number> {
  return callEngine(input, { schema, actions: { tail, list } });
}

const tail: EngineAction<Values> = async ({ client, running, values, json, print }) => {
  if (!running)
    throw new ParleyError('engine_not_running', 'No Parley runs with this home folder, so nothing happens.', {
      hint: 'Start it with "parley start"; what a run did before is in "parley runs export ID".',
    });
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    const stream = client.events({ sessionID: values.session, runID: values.run, signal: stop.signal });
    for await (const event of stream) print(json ? JSON.stringify(event) : lineOf(event));
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
  return 0;
};

const list: EngineAction<Values> = async (call) => {
  const { client, values, json, print } = call;
  const events = await Array.fromAsync(runEvents(client, oneID(call, 'the id of a run', 'runs')));
  if (events.length === 0 && !json) print('There is no event of this run any more.');
  for (const event of events.slice(-values.limit)) print(json ? JSON.stringify(event) : lineOf(event));
  return 0;
};

function lineOf(event: EngineEvent): string {
  const at = new Date(event.envelope.occurred_at_ms).toISOString().slice(11, 19);
  return row(at, event.type.padEnd(20), wordsOf(event));
}

function wordsOf(event: EngineEvent): string {
  switch (event.type) {
    case 'server.connected':
    case 'rooms.changed':
      return '';
    case 'engine.lifecycle.ready':
      return `version ${event.properties.version}`;
    case 'message.part.updated': {
      const { part, delta } = event.properties;
      if (delta !== undefined) return `+ ${delta}`;
      return part.type === 'tool'
        ? `${part.tool} ${part.state}`
        : `${part.type}: ${part.text ?? part.filename ?? ''}`;
    }
    case 'session.updated':
      return `${event.properties.sessionID} ${event.properties.title}`;
    case 'session.attached':
      return `${event.properties.sessionID} ${event.properties.workspaceRoot}`;
    case 'session.run.finished':
      return `${event.properties.runID} ${event.properties.status}`;
    case 'session.run.feedback':
      return `${event.properties.runID} ${event.properties.emoji} ${event.properties.name}`;
    case 'session.run.started':
    case 'session.run.conflict':
      return event.properties.runID;
    case 'session.error':
      return `${event.properties.error.code} ${event.properties.error.message}`;
    case 'permission.asked':
      return `${event.properties.requestID} ${event.properties.tool}`;
    case 'permission.replied':
      return `${event.properties.requestID} ${event.properties.reply ?? event.properties.status}`;
    case 'question.asked':
      return `${event.properties.id} ${event.properties.questions[0]?.question ?? ''}`;
    case 'question.replied':
      return `${event.properties.id} ${event.properties.status}`;
    case 'agent_team.instance.started':
    case 'agent_team.instance.completed':
    case 'agent_team.instance.failed':
    case 'agent_team.instance.cancelled':
      return `${event.properties.missionID} ${event.properties.display_name} ${event.properties.status}`;
    case 'agent_team.spawn.requested':
    case 'agent_team.spawn.approved':
      return `${event.properties.missionID} ${event.properties.templateID}`;
    case 'agent_team.spawn.denied':
      return `${event.properties.templateID} ${event.properties.code}`;
    case 'agent_team.budget.usage':
      return `${event.properties.instanceID} ${event.properties.usage.tokens} tokens`;
    case 'agent_team.budget.exhausted':
      return `${event.properties.instanceID} ${event.properties.limit}`;
    case 'agent_team.mission.budget.exhausted':
      return `${event.properties.missionID} ${event.properties.limit}`;
    case 'agent_team.capability.denied':
      return `${event.properties.instanceID} ${event.properties.tool}`;
    case 'session.deleted':
      return event.properties.sessionID;
    case 'todo.updated':
      return `${event.properties.sessionID}, ${event.properties.todos.length} to do`;
  }
}
