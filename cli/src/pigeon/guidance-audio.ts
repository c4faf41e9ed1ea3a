// `guidances speech`, `recording` and `record`: saves what a guidance sounds like, and uploads a recorded file.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { problemFromReply } from '@yagura/core/http/problem';
import { send } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import { UsageError } from '../command-line/usage-error.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

export async function saveSpeech(
  terminal: Terminal,
  guidance: string,
  options: { param?: string[]; to: string },
): Promise<void> {
  const parameters = parsePairs(options.param ?? []);
  const session = openSession(terminal);
  const guidanceId = await findGuidance(terminal, session, guidance);
  const path = `${resourceNamed('guidance').path}/speech`;
  await saveAudio(terminal, session, options.to, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ guidanceId, parameters }),
  });
}

export async function saveRecording(
  terminal: Terminal,
  guidance: string,
  { to }: { to: string },
): Promise<void> {
  const session = openSession(terminal);
  const path = recordingPath(await findGuidance(terminal, session, guidance));
  await saveAudio(terminal, session, to, path, { method: 'GET' });
}

export async function recordGuidance(terminal: Terminal, guidance: string, source: string): Promise<void> {
  const bytes = await readFile(source).catch((error: Error) => {
    throw new UsageError('cli.usage.file', { flag: '<file>', source, reason: error.message });
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

async function saveAudio(
  terminal: Terminal,
  { transport }: Session,
  to: string,
  path: string,
  init: { method: string; headers?: Record<string, string>; body?: string },
): Promise<void> {
  const reply = await transport.fetch(transport.origin + path, {
    ...init,
    headers: { ...(await transport.headers?.()), ...init.headers },
    signal: terminal.signal,
    redirect: 'error',
  });
  if (!reply.ok) {
    const body: unknown = await reply.json().catch(() => undefined);
    throw problemFromReply(reply.status, body, { instance: path });
  }
  const bytes = Buffer.from(await reply.arrayBuffer());
  try {
    await writeFile(to, bytes);
  } catch (error) {
    throw new UsageError('cli.usage.file', { flag: '--to', source: to, reason: (error as Error).message });
  }
  printMessage(terminal, terminal.t('cli.export.saved', { path: to }));
}

function parsePairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError('cli.usage.pair', { flag: '--param', text: pair });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
