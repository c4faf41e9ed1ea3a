// English voice: the program espeak-ng.
import { findProgram } from './find-program.ts';
import { runEngine } from './run-engine.ts';
import { engineTimeoutMs, maxEngineBytes, type Voice } from './voice.ts';

/** American English, words per minute, UTF-8, text from standard input, WAV to standard output. */
const args = ['-v', 'en-us', '-s', '150', '-b', '1', '--stdin', '--stdout'];

export function findEspeak(): Voice | null {
  const program = findProgram('espeak-ng');
  if (!program) return null;
  return {
    id: 'espeak-ng en-us 150',
    languages: ['en'],
    async speak(text) {
      const run = { program, args, input: `${text}\n`, timeoutMs: engineTimeoutMs };
      return [await runEngine({ ...run, maxOutputBytes: maxEngineBytes })];
    },
  };
}
