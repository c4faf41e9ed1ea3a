// Renders texts with the installed voices: read aloud, spoken by an engine, brought to the line's rate and loudness,
// cached.
import { createHash } from 'node:crypto';
import { readAloud } from '@yagura/core/speech/read-aloud/read-aloud';
import { type VoiceLanguage, voiceLanguageOf } from '@yagura/core/speech/spoken-text';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { Queryable } from '../../db/database.ts';
import type { AddressGuard } from '../../delivery/address-guard.ts';
import { pcmu } from '../media/g711.ts';
import { sampleRate } from '../media/media-session.ts';
import { EngineSlots } from './engine-slots.ts';
import { findEspeak } from './espeak.ts';
import { createHttpVoice } from './http-voice.ts';
import { levelSpeech } from './level.ts';
import { findOpenJtalk } from './open-jtalk.ts';
import { readRecording } from './recordings.ts';
import { resample } from './resample.ts';
import { type SpeechRenderer, VoiceFailed } from './speech-renderer.ts';
import { maxSpeechSeconds, type Voice } from './voice.ts';
import { createVoiceCache } from './voice-cache.ts';
import type { VoiceSettings } from './voice-settings.ts';
import { readWav, WavInvalid } from './wav.ts';

export interface SpeechRendererDeps {
  settings: VoiceSettings;
  database: Queryable;
  clock: Clock;
  log: Log;
  guard: AddressGuard;
  userAgent: string;
  /** Replaces the voices found on this machine. */
  voices?: () => Voice[];
}

/** To be increased when the same text would sound different. */
const version = 1;
const maxEngines = 2;
const maxWaiting = 1000;
/** Samples of silence between the parts of a text. */
const pauseSamples = sampleRate / 5;

export function createSpeechRenderer(deps: SpeechRendererDeps): SpeechRenderer & { close(): Promise<void> } {
  const { settings, database, clock, log } = deps;
  const cache = createVoiceCache(database, clock);
  const slots = new EngineSlots(maxEngines, maxWaiting);
  const http = settings.voiceUrl
    ? createHttpVoice({ ...deps, url: settings.voiceUrl, token: settings.voiceToken })
    : null;
  // Looked for each time, so that a voice can be installed while the server runs.
  const installed = () =>
    [http, findOpenJtalk(settings.voiceJa), findEspeak()].filter((voice) => voice !== null);
  const voices: () => Voice[] = deps.voices ?? installed;
  const inProgress = new Map<string, Promise<Buffer>>();

  function render(spaceId: string, voice: Voice, text: string, language: VoiceLanguage): Promise<Buffer> {
    const key = createHash('sha256')
      .update(JSON.stringify([text, language, voice.id, version]))
      .digest('hex');
    const id = `${spaceId} ${key}`;
    const running = inProgress.get(id);
    if (running) return running;
    const work = async () => {
      const known = await cache.read(spaceId, key);
      if (known) return Buffer.from(known);
      const audio = pcmu.encode(await slots.run(() => speak(voice, text, language)));
      await cache.write(spaceId, key, audio).catch((error) => {
        log({ level: 'warn', message: 'speech could not be cached', ...errorFields(error) });
      });
      return audio;
    };
    const result = work().finally(() => inProgress.delete(id));
    inProgress.set(id, result);
    return result;
  }

  return {
    languages: () => new Set(voices().flatMap((voice) => voice.languages)),
    async render(spaceId, text, callLanguage) {
      const language = voiceLanguageOf(text, callLanguage);
      const spoken = readAloud(text, language);
      if (spoken === '') return new Int16Array(0);
      const voice = voices().find(({ languages }) => languages.includes(language));
      if (!voice) throw new VoiceFailed('there is no voice for this language');
      return pcmu.decode(await render(spaceId, voice, spoken, language));
    },
    async recording(spaceId, recordingId) {
      const bytes = await readRecording(database, spaceId, recordingId);
      return bytes && pcmu.decode(bytes);
    },
    close: async () => http?.close(),
  };
}

async function speak(voice: Voice, text: string, language: VoiceLanguage): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  for (const file of await voice.speak(text, language)) parts.push(levelSpeech(await toLineRate(file)));
  const spoken = parts.filter(({ length }) => length > 0);
  if (spoken.length === 0) throw new VoiceFailed('the voice returned silence');
  const joined = new Int16Array(
    spoken.reduce((sum, { length }) => sum + length + pauseSamples, -pauseSamples),
  );
  let at = 0;
  for (const part of spoken) {
    joined.set(part, at);
    at += part.length + pauseSamples;
  }
  return joined.subarray(0, maxSpeechSeconds * sampleRate);
}

async function toLineRate(file: Uint8Array): Promise<Int16Array> {
  try {
    return await resample(readWav(file, { maxSeconds: Infinity }));
  } catch (error) {
    if (error instanceof WavInvalid) throw new VoiceFailed(`the voice returned ${error.message}`);
    throw error;
  }
}
