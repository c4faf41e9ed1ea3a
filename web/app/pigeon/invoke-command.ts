// Commands that start a chain, quoted for a POSIX shell.

export interface CallInvocation {
  callflowId: string;
  guidanceId: string;
  parameters: Record<string, string>;
}

/** The token comes from the environment, so that the command can be kept and shown. */
export function curlCommand(origin: string, { callflowId, guidanceId, parameters }: CallInvocation): string {
  const body = JSON.stringify({ params: { callflowId, guidanceId, parameters } });
  return [
    `curl --fail-with-body -X POST ${shellQuote(`${origin}/api/apps/pigeon/chain/invoke`)}`,
    '-H "X-Authorization: Token $YAGURA_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d ${shellQuote(body)}`,
  ].join(' \\\n  ');
}

/** By name where the name says enough for a person. */
export function yaguraCommand(
  { callflowId, guidanceId, parameters }: CallInvocation,
  names: { callflow: string; guidance: string },
): string {
  const params = Object.entries(parameters).map(([key, value]) => `--param ${shellQuote(`${key}=${value}`)}`);
  return [
    `yagura call ${shellQuote(names.callflow || callflowId)} --guidance ${shellQuote(names.guidance || guidanceId)}`,
    ...params,
    '--wait',
  ].join(' \\\n  ');
}

/** A word as the shell takes it whole. */
function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
