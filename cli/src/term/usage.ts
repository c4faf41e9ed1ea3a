/** A command that cannot be understood. `word` is a key of the dictionary (`cli.usage.*`). Exit code 2. */
export class Usage extends Error {
  readonly word: string;
  readonly params: Record<string, unknown>;

  constructor(word: string, params: Record<string, unknown> = {}) {
    super(word);
    this.name = 'Usage';
    this.word = word;
    this.params = params;
  }
}
