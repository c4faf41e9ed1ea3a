// Joins what is written to a socket in one turn.
import type { Duplex } from 'node:stream';

/**
 * Lets what is written in one turn go to the network in one piece: ssh2 writes the length, the content and the tag of a
 * packet one after the other, and each of them was a call of the system that woke the host.
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
