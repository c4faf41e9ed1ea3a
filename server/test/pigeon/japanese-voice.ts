// open_jtalk with the voice of the tests, which tools/fetch-voice.sh fetches, and what the program says it reads.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOpenJtalkFiles, toReadings } from '../../src/pigeon/voice/open-jtalk.ts';

/** Setting of the server for this voice. */
export const japaneseVoice = process.env.YAGURA_TEST_VOICE_JA;

/** Whether program and voice are installed; otherwise prints the reason, and fails in CI. */
export function hasJapaneseVoice(): boolean {
  if (findOpenJtalkFiles(japaneseVoice)) return true;
  const reason = 'open_jtalk or its voice is missing (tools/fetch-voice.sh, YAGURA_TEST_VOICE_JA)';
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}: tests of Japanese speech are skipped`);
  return false;
}

export interface Phoneme {
  /** As in HTS labels: vowels are a, i, u, e, o, in capitals when voiceless; sil and pau are silent. */
  name: string;
  /** Seconds from the beginning of the audio. */
  from: number;
  to: number;
}

/** How the program reads a text: in katakana, with a comma for each pause, and as phonemes with their times. */
export function traceReading(text: string): { reading: string; phonemes: Phoneme[] } {
  const { program, file, dictionary } = findOpenJtalkFiles(japaneseVoice)!;
  const folder = mkdtempSync(join(tmpdir(), 'yagura-reading-'));
  const trace = join(folder, 'trace');
  try {
    execFileSync(program, ['-x', dictionary, '-m', file, '-ot', trace, '-ow', join(folder, 'speech.wav')], {
      input: `${toReadings(text)}\n`,
    });
    const [words = '', labels = ''] = readFileSync(trace, 'utf8').split('[Output label]');
    const reading = words
      .split('\n')
      .map((line) => line.split(',')[9]?.replaceAll('’', '') ?? '')
      .join('');
    // Times are in units of 100 ns.
    const phonemes = [...labels.matchAll(/^(\d+) (\d+) [^-]*-([^+]*)\+/gm)].map(([, from, to, name]) => ({
      name: name!,
      from: Number(from) / 1e7,
      to: Number(to) / 1e7,
    }));
    return { reading, phonemes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
