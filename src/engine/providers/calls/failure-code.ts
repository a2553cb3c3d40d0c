// The codes of what can fail while a run asks a model, each with its sentence for people.

/** Without the provider's words, keys or addresses. */
export const failureSentences = {
  AUTHENTICATION_ERROR: 'The model provider refused the key of this bot; its operator has to check the key.',
  PROVIDER_BILLING:
    'The account of this bot at its model provider has no credit left; the operator of the bot has to look at its billing there.',
  RATE_LIMIT_EXCEEDED: 'The model provider is being asked too often right now; please try again in a minute.',
  CONTEXT_LENGTH_EXCEEDED:
    'This conversation or message is too long for the model; please ask in fewer words.',
  MODEL_NOT_FOUND:
    'The configured model does not exist at its provider; the operator of the bot has to choose another.',
  PROVIDER_REQUEST_INVALID: 'The model provider did not accept the request.',
  PROVIDER_SERVER_ERROR: 'The model provider has a problem right now; please try again later.',
  PROVIDER_UNREACHABLE: 'The model provider cannot be reached right now; please try again later.',
  PROVIDER_RESPONSE_INVALID: 'The model provider sent something that is not an answer.',
  PROVIDER_STREAM_BROKEN: 'The answer broke off before it was complete.',
  EMPTY_ANSWER: 'The model ended without saying anything.',
  CONTENT_FILTERED: 'The model provider withheld the answer.',
  OUTPUT_TOO_LONG: 'The answer grew beyond what may be sent and was stopped.',
  NO_TOOL_TO_CALL: 'This answer was to use a tool, and none may be used here.',
  BUDGET_EXHAUSTED: 'The budget of this agent is used up.',
  ENGINE_TIMEOUT: 'The answer took too long and was stopped.',
  ENGINE_DISPATCH_FAILED: 'Something inside the bot went wrong while it was answering.',
} as const;

export type FailureCode = keyof typeof failureSentences;
