// Lets the parties of two calls talk to each other.
import type { MediaSession } from './media-session.ts';

/** Joins two calls; returns a function that separates them. Readings of either go before the other party. */
export function joinCalls(first: MediaSession, second: MediaSession): () => void {
  pass(first, second);
  pass(second, first);
  return () => {
    first.listen(null);
    second.listen(null);
  };
}

function pass(from: MediaSession, to: MediaSession): void {
  from.listen({
    audio: (samples) => to.send(samples),
    key: (key, source) => {
      // A tone is in the audio already.
      if (source === 'rtpEvent') void to.sendKey(key);
    },
  });
}
