// The keys of `channels.voice`: which model writes down what people say in voice messages and audio files.
import { z } from 'zod';

export const voiceSchema = z
  .strictObject({
    provider: z
      .enum(['openai', 'openai-compatible'])
      .default('openai')
      .describe(
        'Who writes speech down: OpenAI, or a server that speaks its API (whisper.cpp, faster-whisper, vLLM). Its key is that of the answering model.',
      ),
    model: z.string().min(1).default('gpt-4o-mini-transcribe').describe('The transcription model.'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' })
      .optional()
      .describe('Root of the API of another server, like `http://127.0.0.1:8000/v1`.'),
    maxMinutes: z.number().min(0.1).max(600).default(30).describe('Longer audio is not written down.'),
    maxMiB: z.number().min(0.1).max(100).default(25).describe('Nor are larger files.'),
    timeoutSeconds: z.number().min(1).max(1_800).default(180).describe('How long one attempt may take.'),
  })
  .optional()
  .describe(
    'Voice messages and audio files are written down, and answered like typed text. Without it the person sees what is missing.',
  );
