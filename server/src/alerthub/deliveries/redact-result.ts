// Keeps credentials of a request out of what is stored of its response.
import { createEchoRedaction } from '../../audit/redact-echo.ts';
import type { SendResult } from '../../delivery/send-result.ts';

/** A copy in which the target does not repeat the credentials of the request. */
export function redactResult(result: SendResult, request: unknown): SendResult {
  const { redact, redactCredentials } = createEchoRedaction(request);
  const { reason, reply, answer } = result;
  return {
    ...result,
    reason: { ...reason, params: mapTexts(reason.params, redact) },
    reply: reply === null ? null : redact(reply),
    ...(answer && {
      answer: {
        ...answer,
        headers: mapTexts(answer.headers, redactCredentials),
        body: redactCredentials(answer.body),
      },
    }),
  };
}

function mapTexts<V>(values: Record<string, V>, change: (text: string) => string): Record<string, V> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? (change(value) as V) : value,
    ]),
  );
}
