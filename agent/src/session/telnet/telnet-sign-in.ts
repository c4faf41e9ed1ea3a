// Answers the prompts for user name and password of a telnet host, each once; after that the viewer has the line.

const namePrompt = /(?:login|user ?name|user)[^\n:]{0,40}:[ \t]*$/i;
const passwordPrompt = /pass(?:word|phrase|code)[^\n:]{0,40}:[ \t]*$/i;
const maxTail = 512;

export interface TelnetAccount {
  username: string;
  password: string;
}

export class TelnetSignIn {
  private readonly account: TelnetAccount;
  private tail = '';
  private next: 'name' | 'password' | 'done' = 'name';

  constructor(account: TelnetAccount) {
    this.account = account;
  }

  get isDone(): boolean {
    return this.next === 'done';
  }

  /** What to type after this output; undefined if it does not end with a prompt. */
  read(output: Uint8Array): string | undefined {
    if (this.isDone) return undefined;
    this.tail = (this.tail + new TextDecoder('latin1').decode(output)).slice(-maxTail);
    const { username, password } = this.account;
    if (passwordPrompt.test(this.tail)) {
      this.next = 'done';
      return `${password}\r`;
    }
    if (this.next !== 'name' || !namePrompt.test(this.tail)) return undefined;
    this.next = 'password';
    this.tail = '';
    return `${username}\r`;
  }

  stop(): void {
    this.next = 'done';
  }
}
