/** A command that cannot be understood. `word` is a key of the dictionary (`cli.usage.*`). Exit code 2. */
export class UsageError extends Error {
  readonly messageKey: string;
  readonly params: Record<string, unknown>;

  constructor(messageKey: string, params: Record<string, unknown> = {}) {
    super(messageKey);
    this.name = 'Usage';
    this.messageKey = messageKey;
    this.params = params;
  }
}
