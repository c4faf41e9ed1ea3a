// Interface of the voices: texts to audio.
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';

export interface SpeechRenderer {
  /** Languages for which a voice exists. */
  languages(): ReadonlySet<VoiceLanguage>;
  /**
   * Audio of a text at 8000 samples per second, 16-bit mono; from the cache if it was rendered before. Rejects
   * when the voice fails.
   */
  render(text: string, language: VoiceLanguage): Promise<Int16Array>;
}
