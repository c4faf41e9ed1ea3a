// Builds shell commands that start a call chain, quoted for POSIX shells.

export interface CallInvocation {
  callflowId: string;
  guidanceId: string;
  parameters: Record<string, string>;
}

export const invokeUrl = (origin: string) => `${origin}/api/apps/pigeon/chain/invoke`;

/** Reads the token from the environment, so that the command itself contains no secret. */
export function curlCommand(origin: string, { callflowId, guidanceId, parameters }: CallInvocation): string {
  const body = JSON.stringify({ params: { callflowId, guidanceId, parameters } });
  return [
    `curl --fail-with-body -X POST ${shellQuote(invokeUrl(origin))}`,
    '-H "X-Authorization: Token $YAGURA_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d ${shellQuote(body)}`,
  ].join(' \\\n  ');
}

/** Uses the names of callflow and guidance; falls back to their ids if empty. */
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

/** Quotes a string as one shell word. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
