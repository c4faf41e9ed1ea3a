import type { MessageKey } from '@yagura/core/i18n/message-key';

/** An error for the user of the command line; the message is a translation key. */
export class AgentError extends Error {
  readonly messageKey: MessageKey;
  readonly params: Record<string, unknown>;
  readonly exitCode: number;
  /** Lines after the message, such as one for each invalid field. */
  readonly lines: readonly string[];

  constructor(
    messageKey: MessageKey,
    params: Record<string, unknown> = {},
    options: { exitCode?: number; lines?: readonly string[] } = {},
  ) {
    super(messageKey);
    this.messageKey = messageKey;
    this.params = params;
    this.exitCode = options.exitCode ?? 1;
    this.lines = options.lines ?? [];
  }
}

/** An error of the command line itself. */
export class UsageError extends AgentError {
  constructor(messageKey: MessageKey, params: Record<string, unknown> = {}) {
    super(messageKey, params, { exitCode: 2 });
  }
}
