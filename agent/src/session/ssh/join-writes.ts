// Joins what is written to a socket in one turn of the event loop.
import type { Duplex } from 'node:stream';

/**
 * Passes what is written in one turn of the event loop to the system in one call. ssh2 writes the length, the content and
 * the tag of a packet one after the other: each was a system call, and woke the host.
 */
export function joinWrites(socket: Duplex): void {
  const write = socket.write;
  socket.write = (...given: unknown[]) => {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    return write.apply(socket, given as never);
  };
}
