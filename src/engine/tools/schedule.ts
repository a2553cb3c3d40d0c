// The tool with which a model schedules something for the person who asks. It speaks only in the chat of its run; a person approves each call.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { maxScheduleText } from '#engine/wire/schedules/schedule.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';
import { defineTool } from './definition/registry.ts';

/** The same for the same call: a run that is begun again after a kill schedules nothing twice. */
const keyOf = (messageID: string, call: readonly string[]): string =>
  `call:${messageID}:${hash('sha256', JSON.stringify(call))}`;

/** `schedule`: a reminder or a prompt, in this chat and no other. */
export function createScheduleTool(schedules: Pick<ScheduleService, 'createSchedule' | 'personTimes'>) {
  return defineTool({
    name: 'schedule',
    idempotent: true,
    description:
      'Schedules a message (kind text) or a task for you (kind prompt) in this chat, once or again and again. Use it when someone ' +
      'asks to be reminded, or to get something regularly. It cannot write to another chat.',
    otherwise: 'ask',
    input: z.strictObject({
      when: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .describe(
          "When, as the person said it and in their zone: 'tomorrow at 9', 'in 20 minutes', 'every Monday at 9'",
        ),
      text: z
        .string()
        .trim()
        .min(1)
        .max(maxScheduleText)
        .describe('What is sent then; of kind prompt, what you are to do then'),
      kind: z.enum(['text', 'prompt']).default('text'),
    }),
    async run({ when, text, kind }, { place, asking }) {
      if (place.platform === 'api')
        throw new ParleyError('no_chat', 'There is no chat here in which something could be said later.');
      const { person, chat } = place;
      const { zone: own } = await schedules.personTimes({ person: [person] });
      const zone = own ?? place.zone;
      const made = await schedules.createSchedule(defined({ when, text, kind, person, chat, zone }), {
        idempotencyKey: keyOf(asking.userMessageID, [when, text, kind]),
      });
      const { id, words, next_at_ms } = made;
      const next = next_at_ms === null ? undefined : new Date(next_at_ms).toISOString();
      return {
        result: { id, when: words, next, how: 'The person can remove it with the command unschedule.' },
      };
    },
  });
}
