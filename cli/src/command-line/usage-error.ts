import type { MessageKey } from '@yagura/core/i18n/message-key';

/** Error for an invalid command line; the message is a translation key (`cli.usage.*`). Exit code 2. */
export class UsageError extends Error {
  readonly messageKey: MessageKey;
  readonly params: Record<string, unknown>;

  constructor(messageKey: MessageKey, params: Record<string, unknown> = {}) {
    super(messageKey);
    this.name = 'Usage';
    this.messageKey = messageKey;
    this.params = params;
  }
}
