// Long polling and what stands in its way: getUpdates, getWebhookInfo, deleteWebhook.
import { z } from 'zod';
import { badRequest, Refusal } from '#sandbox/telegram/world/refusal.ts';
import type { Method } from '#sandbox/telegram/world/state.ts';

/** The longest that a poll may wait; longer ones are cut (Bot API server). */
const longestPollSeconds = 50;
const words = "can't parse allowed updates JSON object";

export const getUpdates: Method = async (state, { params, signal }) => {
  if (state.webhook !== '')
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  const limit = params.integer('limit') ?? 100;
  const timeout = params.integer('timeout') ?? 0;
  if (timeout < 0) throw badRequest('invalid timeout specified');
  return state.queue.take({
    offset: params.integer('offset') ?? 0,
    limit: limit < 1 || limit > 100 ? 100 : limit,
    timeoutMs: Math.min(timeout, longestPollSeconds) * 1000,
    allowed: params.json('allowed_updates', z.array(z.string()), words),
    signal,
  });
};

export const getWebhookInfo: Method = (state) => ({
  url: state.webhook,
  has_custom_certificate: false,
  pending_update_count: state.queue.pending(),
  ...(state.queue.allowed().length === 0 ? {} : { allowed_updates: state.queue.allowed() }),
});

export const deleteWebhook: Method = (state, { params }) => {
  state.webhook = '';
  if (params.flag('drop_pending_updates')) state.queue.clear();
  return true;
};
