// The tool with which a model asks the person something and waits.
import { z } from 'zod';
import type { Requests } from '#engine/permissions/requests.ts';
import { modelQuestion } from '#engine/wire/runs/request.ts';
import { defineTool } from './definition/registry.ts';

/** `question` over the requests. */
export function createQuestionTool(requests: Pick<Requests, 'ask'>) {
  return defineTool({
    name: 'question',
    idempotent: true,
    description:
      'Asks the person and waits for the answer. Use it only when you cannot continue without it; give options where there are few.',
    input: z.strictObject({ questions: z.array(modelQuestion).min(1).max(4) }),
    asks: true,
    async run({ questions }, { asking, signal }) {
      const reply = await requests.ask({ ...asking, kind: 'question', questions }, signal);
      if (reply.status === 'expired') return { result: { answered: false, why: 'Nobody answered in time.' } };
      const { reply: answers } = reply;
      if (!Array.isArray(answers)) return { result: { answered: false, why: 'The person did not want to.' } };
      return {
        result: {
          answered: true,
          answers: questions.map((asked, index) => ({
            question: asked.question,
            answer: answers[index] ?? '',
          })),
        },
      };
    },
  });
}
