// What the engine refuses about times and schedules, as a sentence in the language of its reader. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';
import { codeSpan } from '#adapters/gateway/terms/command-reply.ts';
import type { ScheduleProblem } from '#engine/wire/schedules/schedule-problem.ts';

/** What is wrong with a schedule and what to write instead; `command` writes commands as the platform types them. */
export function scheduleProblemText(
  problem: ScheduleProblem,
  { schedules: say }: Phrases,
  command: NameCommand,
): string {
  switch (problem.code) {
    case 'unknown_time':
      return unreadText(problem, say);
    case 'time_in_the_past':
      return say.isPast({ at: say.moment(problem) });
    case 'too_often':
      return say.tooOften({ when: say.rule(problem), minutes: problem.minutes });
    case 'too_many_schedules':
      return say.tooMany({ limit: problem.limit, command });
    case 'unknown_zone':
      return say.unknownZone({ typed: codeSpan(problem.typed), nearest: problem.nearest });
    case 'text_needed':
      return say.textNeeded;
    case 'schedule_not_found':
      return say.notFound({ command });
  }
}

function unreadText(
  problem: Extract<ScheduleProblem, { code: 'unknown_time' }>,
  say: Phrases['schedules'],
): string {
  switch (problem.why) {
    case 'unreadable':
      return say.unreadable;
    case 'pattern':
      return say.noPattern({ pattern: codeSpan(problem.pattern) });
    case 'never':
      return say.neverComes({ when: say.rule(problem) });
    case 'too far':
      return say.tooFar({ at: say.moment(problem) });
    case 'more text':
      return say.moreText({ rest: codeSpan(problem.rest) });
  }
}
