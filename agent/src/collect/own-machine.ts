// Reads the machine that the agent runs on, with the script for hosts and without a sign-in.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { HostPart } from './host-part.ts';
import { toHostPart } from './ssh/ssh-host-part.ts';
import { endSection, type SectionName, splitSections, sshScript } from './ssh/ssh-script.ts';
import { sshLimits } from './ssh/ssh-session.ts';

export function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address));
}

/** Undefined where there is no shell to run the script. Rejects only when the signal aborts. */
export async function readOwnMachine(
  signal: AbortSignal,
  only?: readonly SectionName[],
): Promise<HostPart | undefined> {
  const marker = randomBytes(16).toString('hex');
  const output = await runScript(sshScript(marker, only), signal);
  const sections = splitSections(output, marker);
  if (!sections.has(endSection)) return undefined;
  const { fields, identities, ...part } = toHostPart(sections, '');
  const { sshHostKey, ...signatures } = fields.signatures ?? {};
  return {
    ...part,
    source: 'agent',
    fields: { ...fields, signatures },
    identities: identities.filter((identity) => !identity.startsWith('key:')),
  };
}

function runScript(script: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { signal, timeout: sshLimits.totalMs, maxBuffer: sshLimits.output };
    const child = execFile('sh', ['-s'], options, (error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(error ? '' : stdout);
    });
    child.stdin!.on('error', () => undefined).end(script);
  });
}
