// The app's slash commands: which there are, how Slack announces one that was run, and the URL by which it is answered.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import type { SocketHub } from '#sandbox/slack/events/socket-hub.ts';
import type { Publisher } from '#sandbox/slack/world/method.ts';
import { Refusal } from '#sandbox/slack/world/refusal.ts';
import { app, bot, type Room, type SlackAccount, team } from '#sandbox/slack/world/workspace.ts';
import type { World } from '#sandbox/slack/world/world.ts';
import { contentOf } from './chat-methods.ts';

export interface AppCommands {
  /** Whether the app has a command of this name, with its "/". */
  has(command: string): boolean;
  /** Runs one and sends it to the app; returns its trigger id. A ParleyError `unknown_command` for one that the app does not have. */
  run(run: { room: Room; by: Pick<SlackAccount, 'id' | 'name'>; command: string; text: string }): string;
  /** Answers by the URL with this path; undefined where no command has it. */
  respond(path: string, body: string): { status: number; body: string } | undefined;
}

interface Run {
  room: Room;
  user: string;
  at: number;
  answers: number;
}

/** A URL is good for five answers within thirty minutes (docs.slack.dev/interactivity/handling-user-interaction). */
const maxAnswers = 5;
const goodMs = 30 * 60_000;
const maxEntries = 1000;

const answerSchema = z.looseObject({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
});

/** The commands of one app; `origin` is where its URLs point to. */
export function createAppCommands(options: {
  names: readonly string[];
  world: World;
  hub: Pick<SocketHub, 'deliverOnce'>;
  publish: Publisher;
  clock: Clock;
  origin: string;
}): AppCommands {
  const { names, world, hub, publish, clock, origin } = options;
  const runs = new Map<string, Run>();
  return {
    has: (command) => names.includes(command.toLowerCase()),
    run({ room, by, command, text }) {
      if (!names.includes(command.toLowerCase()))
        throw new ParleyError('unknown_command', `Expected a command of the app, got ${command}.`, {
          hint: `The app has ${names.join(', ')}.`,
        });
      const trigger = `${world.nextTs()}.${team.id}`;
      const path = `/commands/${team.id}/${randomBytes(12).toString('hex')}`;
      runs.set(path, { room, user: by.id, at: clock.now(), answers: 0 });
      for (const oldest of runs.keys()) if (runs.size > maxEntries) runs.delete(oldest);
      hub.deliverOnce('slash_commands', {
        token: 'sandbox-verification-token',
        team_id: team.id,
        team_domain: team.domain,
        channel_id: room.id,
        channel_name: { im: 'directmessage', group: 'privategroup', mpim: room.name, channel: room.name }[
          room.kind
        ],
        user_id: by.id,
        user_name: by.name.toLowerCase(),
        command,
        text,
        api_app_id: app.id,
        is_enterprise_install: 'false',
        response_url: `${origin}${path}`,
        trigger_id: trigger,
      });
      return trigger;
    },
    respond(path, body) {
      const run = runs.get(path);
      if (run === undefined) return undefined;
      // the words are those that people have seen; Slack's documentation has none
      if (clock.now() - run.at > goodMs) return { status: 404, body: 'expired_url' };
      if (run.answers >= maxAnswers) return { status: 404, body: 'used_url' };
      try {
        const answer = parseJson(body, answerSchema, 'An answer to a command');
        const content = contentOf(answer);
        const { room, user } = run;
        const isForAll = answer.response_type === 'in_channel';
        run.answers += 1;
        const message = world.add({
          ...{ room, user: bot.user, ...content },
          onlyFor: isForAll ? undefined : user,
        });
        if (isForAll) publish.posted(message);
        else publish.seen(message);
        return { status: 200, body: 'ok' };
      } catch (error) {
        if (error instanceof Refusal) return { status: 400, body: error.word };
        if (error instanceof ParleyError) return { status: 400, body: 'invalid_payload' };
        throw error;
      }
    },
  };
}
