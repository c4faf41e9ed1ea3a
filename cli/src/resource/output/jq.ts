// Runs jq as WebAssembly; loaded only with --jq.
import jq from 'jq-web';
import { endOnInterruption } from '../../command-line/interruption.ts';
import { UsageError } from '../../command-line/usage-error.ts';

/**
 * Applies the filter: strings are printed raw, everything else as JSON. Throws a usage error with jq's
 * message.
 */
export async function runJq(data: unknown, filter: string, live: boolean): Promise<string> {
  const { raw } = await jq;
  // A filter may never return and blocks the event loop.
  endOnInterruption();
  try {
    return raw(JSON.stringify(data), filter, live ? ['-r'] : ['-r', '-c']) ?? '';
  } catch (error) {
    const complaint = (error as { stderr?: string }).stderr ?? (error as Error).message;
    throw new UsageError('cli.usage.jq', { reason: complaint.trim().replace(/^jq: (error: )?/, '') });
  }
}
