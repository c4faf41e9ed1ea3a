// `mock-phone heard`: saves what the mock phone heard in a call.
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { saveReply } from '../resource/output/save-reply.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function saveHeard(
  terminal: Terminal,
  mockCallId: string,
  { to }: { to?: string },
): Promise<void> {
  const path = `${resourceNamed('mock-phone').path}/heard`;
  await saveReply(terminal, to, { path, method: 'POST', body: { mockCallId } });
}
