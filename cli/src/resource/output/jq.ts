// jq itself, as WebAssembly. It comes in when a command is given --jq.
import jq from 'jq-web';
import { UsageError } from '../../command-line/usage-error.ts';

/** What the filter makes of the data: texts as they are, everything else as JSON. Throws Usage with the complaint of jq. */
export async function runJq(data: unknown, filter: string, live: boolean): Promise<string> {
  const { raw } = await jq;
  // A filter may run for ever, and nothing of ours is heard meanwhile: Ctrl-C ends the process as it is.
  process.removeAllListeners('SIGINT');
  try {
    return raw(JSON.stringify(data), filter, live ? ['-r'] : ['-r', '-c']) ?? '';
  } catch (error) {
    const complaint = (error as { stderr?: string }).stderr ?? (error as Error).message;
    throw new UsageError('cli.usage.jq', { reason: complaint.trim().replace(/^jq: (error: )?/, '') });
  }
}
