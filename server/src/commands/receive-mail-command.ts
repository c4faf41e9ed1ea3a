// `receive-mail`: passes a mail from standard input to the running server, for mail servers that deliver to
// commands.
import { parseArgs } from 'node:util';
import { isProblemType } from '@yagura/core/http/problem';
import { failureReason } from '@yagura/core/http/transport';

export interface ReceiveMailOptions {
  args: string[];
  env: Record<string, string | undefined>;
  input: AsyncIterable<Uint8Array | string>;
  /** Prints the reason of a failure, for the bounce or the mail server's log. */
  say(line: string): void;
}

/** Exit codes (sysexits.h) that tell the mail server to bounce or to retry. */
export const sysexits = {
  ok: 0,
  usage: 64,
  dataError: 65,
  noUser: 67,
  unavailable: 69,
  temporary: 75,
} as const;

export const receiveMailUsage = `Usage: yagura-server receive-mail --slot ADDRESS [--server URL] < mail

ADDRESS is an email address of a receive slot, or its part before the @. The default server is YAGURA_PUBLIC_URL, or else
the local server at PORT. Exit codes follow sysexits.h; 75 means that the mail server should retry later.`;

/** Milliseconds; shorter than the time mail servers give a command. */
const requestTimeoutMs = 60_000;
/** Maximum bytes of a mail; the server may allow less. */
const maxMailBytes = 31 << 20;

/** Resolves with the exit code: temporary failure unless the mail itself is certainly the cause. */
export async function receiveMail({ args, env, input, say }: ReceiveMailOptions): Promise<number> {
  const given = readArgs(args);
  if (!given?.slot) {
    say(receiveMailUsage);
    return sysexits.usage;
  }
  const server = given.server ?? env.YAGURA_PUBLIC_URL ?? `http://127.0.0.1:${env.PORT || 8480}`;
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    say('--server: must be a URL such as http://127.0.0.1:8480');
    return sysexits.usage;
  }
  const mail = await readAll(input);
  if (mail === undefined) {
    say('The email is larger than 30 MB');
    return sysexits.dataError;
  }
  if (mail.length === 0) {
    say('There is no email on standard input');
    return sysexits.dataError;
  }
  try {
    const response = await fetch(new URL(`/receive/mail/${encodeURIComponent(given.slot)}`, server), {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: new Uint8Array(mail),
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (response.status === 202) return sysexits.ok;
    const reply = (await response.json().catch(() => ({}))) as {
      type?: string;
      detail?: string;
      title?: string;
    } | null;
    if (!isProblemType(String(reply?.type))) {
      // From something else at this address, such as a proxy: it says nothing about the mail.
      say(`${server} did not respond as a Yagura server does (status ${response.status})`);
      return sysexits.temporary;
    }
    say(reply?.detail ?? reply?.title ?? `The server responded with status ${response.status}`);
    return exitCodeOf(response.status);
  } catch (error) {
    say(`The server cannot be reached: ${server} (${failureReason(error)})`);
    return sysexits.temporary;
  }
}

function exitCodeOf(status: number): number {
  if (status === 404) return sysexits.noUser;
  if (status === 403) return sysexits.unavailable;
  if (status === 400 || status === 413) return sysexits.dataError;
  return sysexits.temporary;
}

function readArgs(args: string[]): { slot?: string; server?: string } | undefined {
  try {
    const options = { slot: { type: 'string' }, server: { type: 'string' } } as const;
    return parseArgs({ args, options }).values;
  } catch {
    return undefined;
  }
}

async function readAll(input: ReceiveMailOptions['input']): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxMailBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}
