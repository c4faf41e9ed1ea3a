// Speech programs: real ones where they are installed, and a shell script that misbehaves.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EngineSlots } from './engine-slots.ts';
import { findEspeak } from './espeak.ts';
import { findOpenJtalk } from './open-jtalk.ts';
import { resample } from './resample.ts';
import { runEngine } from './run-engine.ts';
import { VoiceFailed } from './speech-renderer.ts';
import { splitText } from './voice.ts';
import { readWav } from './wav.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-engine-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shell = (script: string, options = {}) =>
  runEngine({
    program: '/bin/sh',
    args: ['-c', script],
    input: 'secret text',
    timeoutMs: 10_000,
    maxOutputBytes: 1000,
    ...options,
  });

describe('a program', () => {
  test('gets the text through its input, and nothing of the environment', async () => {
    process.env.YAGURA_SECRET_OF_TEST = 'do not pass on';
    const output = (await shell('cat; echo "; $0 $*"; env')).toString();
    delete process.env.YAGURA_SECRET_OF_TEST;
    expect(output).toMatch(/^secret text; \/bin\/sh \n/);
    expect(output).not.toContain('YAGURA');
  });

  test('that fails, hangs or is missing is a failed voice, without the text in the error', async () => {
    const failures = await Promise.allSettled([
      shell('exit 3'),
      shell('cat >&2; exit 1'),
      shell('exec sleep 60', { timeoutMs: 50 }),
      shell('exec 0<&-; exit 2', { input: 'secret text'.repeat(100_000) }),
      shell('', { program: '/does/not/exist' }),
    ]);
    for (const failure of failures) {
      const error = (failure as PromiseRejectedResult).reason;
      expect(error).toBeInstanceOf(VoiceFailed);
      expect(String(error)).not.toContain('secret');
    }
  });

  test('that never stops talking is ended', async () => {
    expect(await shell('yes')).toHaveLength(1000);
  });
});

test('as many run at once as there are slots, the others wait in order, and too many are refused', async () => {
  const slots = new EngineSlots(2, 2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const run = (id: number) =>
    slots.run(() => {
      started.push(id);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [1, 2, 3, 4].map(run);
  await expect(run(5)).rejects.toThrow(VoiceFailed);
  expect(started).toEqual([1, 2]);
  ends[0]!();
  await all[0];
  expect(started).toEqual([1, 2, 3]);
  ends[1]!();
  await all[1];
  expect(started).toEqual([1, 2, 3, 4]);
  for (const end of ends) end();
  await Promise.all(all);
  await slots.run(async () => started.push(6));
  expect(started).toEqual([1, 2, 3, 4, 6]);
});

test('long texts are split after sentences, else after commas, else anywhere but inside a character', () => {
  expect(splitText('一つ目です。二つ目です。三つ目です。', 13)).toEqual([
    '一つ目です。二つ目です。',
    '三つ目です。',
  ]);
  expect(splitText('one, two, three', 10)).toEqual(['one, two,', 'three']);
  expect(splitText('𠮷𠮷𠮷', 3)).toEqual(['𠮷', '𠮷', '𠮷']);
  expect(splitText('  ', 10)).toEqual([]);
  const long = 'あ'.repeat(4000);
  expect(splitText(long, 200).join('')).toBe(long);
});

describe('open_jtalk', () => {
  /** A program that writes one second of audio per run, and keeps what it was given. */
  function fakeProgram(): string {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const script = join(bin, 'open_jtalk');
    writeFileSync(
      script,
      `#!/bin/sh
cat >> ${bin}/texts
echo "$*" >> ${bin}/arguments
{ printf 'RIFF\\0\\0\\0\\0WAVEfmt \\020\\0\\0\\0\\001\\0\\001\\0\\100\\037\\0\\0\\200\\076\\0\\0\\002\\0\\020\\0data\\200\\076\\0\\0'
head -c 16000 /dev/urandom; } > "$6"
`,
    );
    chmodSync(script, 0o755);
    return bin;
  }

  test('gets a line that fits its buffer at a time, and leaves no file behind', async () => {
    const bin = fakeProgram();
    const path = process.env.PATH;
    process.env.PATH = `${bin}:${path}`;
    try {
      const voice = findOpenJtalk(`${bin}/open_jtalk:${bin}`)!;
      expect(voice.languages).toEqual(['ja']);
      const files = await voice.speak(
        `${'漢字'.repeat(90)}。\n$(touch ${bin}/shell)。${'かな'.repeat(80)}`,
        'ja',
      );
      for (const file of files) expect(readWav(file, { maxSeconds: 2 }).samples).toHaveLength(8000);
      const lines = readFileSync(join(bin, 'texts'), 'utf8').trimEnd().split('\n');
      expect(lines.length).toBeGreaterThan(1);
      expect(files).toHaveLength(lines.length);
      for (const line of lines) expect(4 * line.length).toBeLessThan(1024);
      const given = readFileSync(join(bin, 'arguments'), 'utf8');
      expect(given).not.toContain('漢');
      for (const [output] of given.matchAll(/\S+speech\.wav/g)) expect(existsSync(output)).toBe(false);
      expect(readdirSync(bin).sort()).toEqual(['arguments', 'open_jtalk', 'texts']);
    } finally {
      process.env.PATH = path;
    }
  });

  test('is no voice without its files', () => {
    expect(findOpenJtalk('/does/not/exist.htsvoice')).toBeNull();
  });
});

const espeak = findEspeak();
if (!espeak && process.env.CI) throw new Error('espeak-ng is not installed');

test.skipIf(!espeak)('espeak-ng really speaks, longer for a longer text, and not silence', async () => {
  const speak = async (text: string) => {
    const [file] = await espeak!.speak(text, 'en');
    return resample(readWav(file!, { maxSeconds: 60 }));
  };
  const [short, long] = await Promise.all([
    speak('The disk is full.'),
    speak('Host web 0 1 is down. The disk is full, and nobody has answered the call.'),
  ]);
  expect(short.length).toBeGreaterThan(8000 * 0.7);
  expect(long.length).toBeGreaterThan(2.5 * short.length);
  for (const samples of [short, long])
    expect(
      Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length),
    ).toBeGreaterThan(500);
});
