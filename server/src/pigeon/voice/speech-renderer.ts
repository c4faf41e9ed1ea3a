// Interface of the voices: texts to audio.
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';

export interface SpeechRenderer {
  /** Languages for which a voice is installed. */
  languages(): ReadonlySet<VoiceLanguage>;
  /**
   * Audio of a text at 8000 samples per second, 16-bit mono, at most ten minutes; from the cache of the space if
   * it was rendered before. Empty if the text has nothing that can be said. Rejects with VoiceFailed when there
   * is no voice for the language or it fails.
   */
  render(spaceId: string, text: string, language: VoiceLanguage): Promise<Int16Array>;
  /** Audio of a recorded file of a guidance; null when it has been deleted. */
  recording(spaceId: string, recordingId: string): Promise<Int16Array | null>;
}

/** A voice that is missing, failed, or took too long; the message has no part of the text. */
export class VoiceFailed extends Error {}
