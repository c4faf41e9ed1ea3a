// Keeps the latest rendered texts in memory: many phones are called with the same message at the same time.
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';
import type { SpeechRenderer } from '../voice/speech-renderer.ts';

/** About sixteen minutes of speech, 16 MB. */
const maxSamples = 8_000_000;

export class RecentSpeech {
  private readonly speech: SpeechRenderer;
  private readonly limit: number;
  /** Oldest use first. */
  private readonly rendered = new Map<string, Int16Array>();
  private readonly inProgress = new Map<string, Promise<Int16Array>>();
  private samples = 0;

  constructor(speech: SpeechRenderer, limit = maxSamples) {
    this.speech = speech;
    this.limit = limit;
  }

  render(spaceId: string, text: string, language: VoiceLanguage): Promise<Int16Array> {
    const key = JSON.stringify([spaceId, language, text]);
    const known = this.rendered.get(key);
    if (known) {
      this.rendered.delete(key);
      this.rendered.set(key, known);
      return Promise.resolve(known);
    }
    const pending = this.inProgress.get(key);
    if (pending) return pending;
    const rendering = this.speech
      .render(spaceId, text, language)
      .then((samples) => this.add(key, samples))
      .finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, rendering);
    return rendering;
  }

  recording(spaceId: string, recordingId: string): Promise<Int16Array | null> {
    return this.speech.recording(spaceId, recordingId);
  }

  private add(key: string, samples: Int16Array): Int16Array {
    this.rendered.set(key, samples);
    this.samples += samples.length;
    for (const [oldest, { length }] of this.rendered) {
      if (this.samples <= this.limit) break;
      this.rendered.delete(oldest);
      this.samples -= length;
    }
    return samples;
  }
}
