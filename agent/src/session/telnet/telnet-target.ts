// A telnet host as the far side of a session.
import type { Socket } from 'node:net';
import type { Target, TargetEvents, TerminalSize } from '../target.ts';
import { TelnetCodec } from './telnet-codec.ts';
import { type TelnetAccount, TelnetSignIn } from './telnet-sign-in.ts';

/** Milliseconds for the prompts; then the viewer signs in. */
const signInMs = 15_000;

/** Takes over a connected socket. `account` is null if the viewer signs in. */
export function openTelnet(
  socket: Socket,
  size: TerminalSize,
  events: TargetEvents,
  account: TelnetAccount | null,
): Target {
  const signIn = account ? new TelnetSignIn(account) : undefined;
  const codec = new TelnetCodec(size, (bytes) => void socket.write(bytes));
  const timer = setTimeout(() => signIn?.stop(), signInMs);
  let isOver = false;
  let failed = false;
  socket.on('data', (bytes: Buffer) => {
    const data = codec.receive(bytes);
    const answer = signIn?.read(data);
    if (answer !== undefined) socket.write(codec.encode(new TextEncoder().encode(answer)));
    if (data.length > 0) events.output(data);
  });
  socket.on('drain', () => events.drained());
  socket.on('error', () => {
    failed = true;
  });
  socket.on('close', () => {
    clearTimeout(timer);
    if (!isOver) events.ended(failed ? 'disconnected' : 'ended');
    isOver = true;
  });
  return {
    write(bytes) {
      // What is typed must not mix with the account.
      if (isOver || (signIn && !signIn.isDone)) return true;
      return socket.write(codec.encode(bytes));
    },
    resize: (next) => codec.resize(next),
    setPaused(isPaused) {
      if (isPaused) socket.pause();
      else socket.resume();
    },
    close() {
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
    },
  };
}
