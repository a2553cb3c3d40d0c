// Speech as text: what the engine is asked, and what it answers. Shapes only.
import { z } from 'zod';

export const transcriptionRequest = z.strictObject({
  url: z.string().min(1).max(2_000).describe('Of an upload, as `PUT /upload/...` gives it'),
  mime: z.string().min(1).max(200),
  filename: z.string().min(1).max(300),
  seconds: z.number().min(0).max(1_000_000).optional().describe('How long it is, where the platform says so'),
});
export type TranscriptionRequest = z.infer<typeof transcriptionRequest>;

export const transcription = z.discriminatedUnion('status', [
  z.object({ status: z.literal('done'), text: z.string().describe('Empty where nobody speaks') }),
  z.object({ status: z.literal('off').describe('No transcription model is configured') }),
  z.object({
    status: z.literal('too_long'),
    limit: z.object({ seconds: z.number(), bytes: z.number() }),
  }),
  z.object({ status: z.literal('failed'), error: z.string().describe('A sentence for people') }),
]);
export type Transcription = z.infer<typeof transcription>;
