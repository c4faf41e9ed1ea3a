// Interface of one speech engine, and the limits of all.
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';

export interface Voice {
  /** Identifies engine and voice in the cache: another voice renders anew. */
  id: string;
  languages: readonly VoiceLanguage[];
  /** A WAV file for each part of the text, in order. Rejects with VoiceFailed. */
  speak(text: string, language: VoiceLanguage): Promise<Uint8Array[]>;
}

/** Longest audio in seconds: no call lasts longer. */
export const maxSpeechSeconds = 600;
/** Maximum bytes that an engine may produce for one text: ten minutes at 48 kHz. */
export const maxEngineBytes = maxSpeechSeconds * 48_000 * 2 + 1024;
/** Milliseconds for one run of an engine. */
export const engineTimeoutMs = 30_000;

/** Splits text into pieces of at most `maxLength` UTF-16 units: after a sentence, else after a comma or space. */
export function splitText(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > maxLength) {
    const head = rest.slice(0, maxLength);
    const end =
      head.search(/[。．！？!?\n][^。．！？!?\n]*$/u) + 1 ||
      head.search(/[、，,\s][^、，,\s]*$/u) + 1 ||
      head.toWellFormed().replace(/\uFFFD$/u, '').length;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}
