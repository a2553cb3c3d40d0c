// Answers of a simulated platform carry its own time: the clock that dates its messages.
import type { ServerResponse } from 'node:http';
import type { Clock } from '#base/clock.ts';

/** Dates an answer by the sandbox's clock, before its head is written. */
export function dateAnswer(response: ServerResponse, clock: Pick<Clock, 'now'>): void {
  response.setHeader('date', new Date(clock.now()).toUTCString());
}
