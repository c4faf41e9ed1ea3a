// `guidances speech`, `recording` and `record`: saves what a guidance sounds like, and uploads a recorded file.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { send } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import { UsageError } from '../command-line/usage-error.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { saveReply } from '../resource/output/save-reply.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { parseParameters } from './call.ts';

export async function saveSpeech(
  terminal: Terminal,
  guidance: string,
  options: { param?: string[]; to?: string },
): Promise<void> {
  const parameters = parseParameters(options.param ?? []);
  const session = openSession(terminal);
  const guidanceId = await findGuidance(terminal, session, guidance);
  const path = `${resourceNamed('guidance').path}/speech`;
  await saveReply(terminal, options.to, { path, method: 'POST', body: { guidanceId, parameters } });
}

export async function saveRecording(
  terminal: Terminal,
  guidance: string,
  { to }: { to?: string },
): Promise<void> {
  const session = openSession(terminal);
  const path = recordingPath(await findGuidance(terminal, session, guidance));
  await saveReply(terminal, to, { path, method: 'GET' });
}

export async function recordGuidance(terminal: Terminal, guidance: string, source: string): Promise<void> {
  const bytes = await readFile(source).catch((error: Error) => {
    throw new UsageError('cli.usage.file', { flag: '<file>', source, reason: error });
  });
  const session = openSession(terminal);
  const path = recordingPath(await findGuidance(terminal, session, guidance));
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(bytes)], { type: 'audio/wav' }), basename(source));
  const { data } = await send<{ fileName: string; seconds: number }>(session.transport, {
    method: 'POST',
    path,
    body,
    signal: terminal.signal,
  });
  printMessage(
    terminal,
    terminal.t('cli.guidance.recorded', { file: cleanLine(data.fileName), seconds: data.seconds }),
  );
}

const findGuidance = ({ signal }: Terminal, { transport }: Session, guidance: string) =>
  resolveId(resourceNamed('guidance'), guidance, transport, {}, signal);

const recordingPath = (guidanceId: string) =>
  `${expandPath(resourceNamed('guidance').itemPath, { guidanceId })}/recording`;
