// Commands that start a chain, quoted for a POSIX shell.

export interface CallToMake {
  callflowId: string;
  guidanceId: string;
  parameters: Record<string, string>;
}

/** The token comes from the environment, so that the command can be kept and shown. */
export function curlCommand(origin: string, { callflowId, guidanceId, parameters }: CallToMake): string {
  const body = JSON.stringify({ params: { callflowId, guidanceId, parameters } });
  return [
    `curl --fail-with-body -X POST ${quoted(`${origin}/api/apps/pigeon/chain/invoke`)}`,
    '-H "X-Authorization: Token $YAGURA_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** By name where the name says enough for a person. */
export function yaguraCommand(
  { callflowId, guidanceId, parameters }: CallToMake,
  names: { callflow: string; guidance: string },
): string {
  const params = Object.entries(parameters).map(([key, value]) => `--param ${quoted(`${key}=${value}`)}`);
  return [
    `yagura call ${quoted(names.callflow || callflowId)} --guidance ${quoted(names.guidance || guidanceId)}`,
    ...params,
    '--wait',
  ].join(' \\\n  ');
}

/** A word as the shell takes it whole. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
