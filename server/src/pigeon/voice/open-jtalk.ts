// Japanese voice: the program open_jtalk with a dictionary and a voice file.
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from './find-program.ts';
import { runEngine } from './run-engine.ts';
import { VoiceFailed } from './speech-renderer.ts';
import { engineTimeoutMs, maxEngineBytes, splitText, type Voice } from './voice.ts';

/** Places of the dictionary in Debian, Fedora and Homebrew. */
const dictionaries = [
  '/var/lib/mecab/dic/open-jtalk/naist-jdic',
  '/usr/share/open_jtalk/dic',
  '/opt/homebrew/opt/open-jtalk/dic',
  '/usr/local/opt/open-jtalk/dic',
];
const voiceFolders = [
  '/usr/share/hts-voice',
  '/opt/homebrew/opt/open-jtalk/voice',
  '/usr/local/opt/open-jtalk/voice',
];

/**
 * Units of text per run. open_jtalk reads one line into a buffer of 1024 bytes, in which each character may
 * take 4 bytes after its conversion to full width.
 */
const unitsPerRun = 200;

/** After 3, 1000 and 10000 the dictionary reads this counter `gen`, as that of houses; that of events is `ken`. */
const misreadCounter = /(?<=3|000|[三千万])件/gu;

/** Paths of a usable installation. */
export interface OpenJtalkFiles {
  program: string;
  file: string;
  dictionary: string;
}

/**
 * Program, dictionary and voice file, or null if one is missing. `configured` names a voice file and, after a colon,
 * a dictionary.
 */
export function findOpenJtalkFiles(configured: string | undefined): OpenJtalkFiles | null {
  const program = findProgram('open_jtalk');
  const [file = findVoiceFile(), dictionary = dictionaries.find((folder) => existsSync(folder))] =
    configured?.split(delimiter).filter(Boolean) ?? [];
  if (!program || !file || !dictionary || !existsSync(file) || !existsSync(dictionary)) return null;
  return { program, file, dictionary };
}

/** The voice of an installation; null if something is missing. */
export function findOpenJtalk(configured: string | undefined): Voice | null {
  const files = findOpenJtalkFiles(configured);
  if (!files) return null;
  const { program, file, dictionary } = files;
  return {
    id: `open_jtalk ${file}`,
    languages: ['ja'],
    async speak(text) {
      const parts: Buffer[] = [];
      let bytes = 0;
      // A call cannot last longer than this audio.
      for (const piece of splitText(text.replace(/\s+/gu, ' '), unitsPerRun)) {
        const part = await speakPiece(program, ['-x', dictionary, '-m', file], piece);
        parts.push(part);
        bytes += part.length;
        if (bytes > maxEngineBytes) break;
      }
      return parts;
    },
  };
}

/** The text with words in kana that the program would read wrongly. */
export function toReadings(text: string): string {
  return text.replace(misreadCounter, 'ケン');
}

/** The program needs a file to write to: it cannot open a socket, which its standard output is. */
async function speakPiece(program: string, args: readonly string[], piece: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-voice-'));
  const output = join(folder, 'speech.wav');
  try {
    await runEngine({
      program,
      args: [...args, '-ow', output],
      input: `${toReadings(piece)}\n`,
      timeoutMs: engineTimeoutMs,
      maxOutputBytes: 0,
    });
    const { size } = await stat(output).catch(() => ({ size: 0 }));
    if (size === 0 || size > maxEngineBytes) throw new VoiceFailed('the voice returned no audio');
    return await readFile(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findVoiceFile(): string | undefined {
  for (const folder of voiceFolders.filter((path) => existsSync(path))) {
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .find((name) => name.endsWith('.htsvoice'));
    if (file) return join(folder, file);
  }
  return undefined;
}
