// Transcripts: plain text of commands and what they say, run against the built commands and a real server.
//
//   $ command        run by sh, output joined to a pipe; lines from stderr start with `! `
//   $tty command     run on a pseudo terminal
//   [exit 2]         the exit code, where it is not 0
//   # text           a comment
//
// Ids, times and the address of the server differ from run to run; they are written as <id>, <time> and <origin>.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { collectOutput } from './collect-output.ts';

export interface Step {
  comment: string;
  line: string;
  /** Output as in the transcript. */
  output: string;
}

export interface TranscriptOptions {
  env: Record<string, string>;
  cwd: string;
  /** Texts that differ between runs, with their replacements. */
  hide: Readonly<Record<string, string>>;
}

const update = process.env.YAGURA_UPDATE_TRANSCRIPTS === '1';

/** Runs every command of a transcript and returns the expected and the actual text. */
export async function playTranscript(
  name: string,
  options: TranscriptOptions,
): Promise<{ was: string; is: string }> {
  const path = fileURLToPath(new URL(`./transcripts/${name}.txt`, import.meta.url));
  const was = readFileSync(path, 'utf8');
  let is = '';
  for (const { comment, line } of readSteps(was)) {
    is += `${comment}${line}\n${line === '' ? '' : await play(line, options)}`;
  }
  if (update && is !== was) writeFileSync(path, is);
  return { was: update ? is : was, is };
}

/** The commands of a transcript with the comments before them. */
export function readSteps(text: string): Step[] {
  const steps: Step[] = [];
  let comment = '';
  for (const line of text.split('\n')) {
    if (/^\$(tty)? /.test(line)) {
      steps.push({ comment, line, output: '' });
      comment = '';
    } else if (line.startsWith('#')) {
      comment += `${steps.length > 0 && comment === '' ? '\n' : ''}${line}\n`;
    } else if (steps.length > 0 && comment === '') steps.at(-1)!.output += `${line}\n`;
  }
  return steps;
}

async function play(line: string, { env, cwd, hide }: TranscriptOptions): Promise<string> {
  const live = line.startsWith('$tty ');
  const command = line.slice(live ? 5 : 2);
  const argv = live ? ['script', '-qec', command, '/dev/null'] : ['sh', '-c', command];
  const child = spawn(argv[0]!, argv.slice(1), { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end();
  const { output, ended } = collectOutput(child);
  const code = await ended;
  const { out, err } = output;
  const errorLines = err === '' ? '' : err.replace(/^(?=[^\n])/gm, '! ');
  const end = code === 0 ? '' : `[exit ${code}]\n`;
  return (
    hidden(
      out.replaceAll('\r\n', '\n').replaceAll('\r', '\\r').replaceAll('\x1b', '\\e') + errorLines,
      hide,
    ) + end
  );
}

function hidden(text: string, hide: Readonly<Record<string, string>>): string {
  let shown = text;
  for (const [secret, word] of Object.entries(hide)) shown = shown.replaceAll(secret, word);
  return (
    shown
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replace(
        /\d{1,2}\/\d{1,2}\/\d{4}, \d\d:\d\d(:\d\d)?|\d{4}\/\d\d\/\d\d \d\d:\d\d(:\d\d)?/g,
        '<local time>',
      )
      // How often a progress bar is drawn depends on the speed of the machine.
      .replace(/\\e\[\?7l\\r\\e\[2K#+ {2}[^\\\n]*? \d+\/\d+\\e\[\?7h/g, '')
      .replace(/\/receive\/webhook\/[\w-]+/g, '/receive/webhook/<random>')
  );
}
