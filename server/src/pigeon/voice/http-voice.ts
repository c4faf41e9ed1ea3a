// Voice of an HTTP service: POST of text and language, the reply is a WAV file.
import type { AddressGuard } from '../../delivery/address-guard.ts';
import { createGuardedAgent } from '../../delivery/guarded-agent.ts';
import { parseOutgoingUrl } from '../../delivery/outgoing-url.ts';
import { sampleRate } from '../media/media-session.ts';
import { VoiceFailed } from './speech-renderer.ts';
import { maxEngineBytes, type Voice } from './voice.ts';

export interface HttpVoiceOptions {
  url: string;
  /** Sent as bearer token. */
  token: string | undefined;
  guard: AddressGuard;
  userAgent: string;
}

const timeoutsMs = { connect: 10_000, whole: 60_000 };

export interface HttpVoice extends Voice {
  close(): Promise<void>;
}

export function createHttpVoice({ url, token, guard, userAgent }: HttpVoiceOptions): HttpVoice {
  const agent = createGuardedAgent({ guard, connectTimeoutMs: timeoutsMs.connect, connections: 2 });
  return {
    id: `http ${url}`,
    languages: ['ja', 'en'],
    async speak(text, language) {
      const target = parseOutgoingUrl(url);
      if (typeof target === 'string') throw new VoiceFailed('the address of the voice is not allowed');
      const signal = AbortSignal.timeout(timeoutsMs.whole);
      try {
        const reply = await agent.request({
          origin: target.origin,
          path: target.path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'audio/wav',
            'user-agent': userAgent,
            ...(token ? { authorization: `Bearer ${token}` } : {}),
          },
          body: JSON.stringify({ text, language, sampleRate }),
          signal,
        });
        if (reply.statusCode !== 200) {
          // Without a listener, the end of the connection would be an uncaught error.
          reply.body.on('error', () => undefined).destroy();
          throw new VoiceFailed(`the voice answered with status ${reply.statusCode}`);
        }
        return [await readAudio(reply.body)];
      } catch (error) {
        if (error instanceof VoiceFailed) throw error;
        throw new VoiceFailed(signal.aborted ? 'the voice took too long' : 'the voice could not be reached', {
          cause: error,
        });
      }
    },
    close: () => agent.destroy(),
  };
}

async function readAudio(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > maxEngineBytes) throw new VoiceFailed('the voice returned too much audio');
  }
  return Buffer.concat(chunks);
}
