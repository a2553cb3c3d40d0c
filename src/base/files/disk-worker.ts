// The thread that works on the disk: one order after the other, each answered.
import { answerCalls } from '#base/threads/answer-calls.ts';
import { carryOut } from './disk-steps.ts';
import type { DiskCalls } from './disk-thread.ts';

answerCalls<DiskCalls>(({ request }) => carryOut(request));
