// Confirms a subscription of Amazon SNS to a receive slot: only signed requests, and only at SNS itself.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
import { createPublicKey, createVerify } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import { z } from 'zod';
import type { SendResult } from '../../delivery/send-result.ts';

const text = (max: number) => z.string().min(1).max(max);
const confirmationSchema = z.object({
  Type: z.literal('SubscriptionConfirmation'),
  MessageId: text(200),
  Token: text(2000),
  TopicArn: text(500),
  Message: text(10_000),
  SubscribeURL: text(4000),
  Timestamp: text(100),
  SignatureVersion: z.enum(['1', '2']),
  Signature: text(4000),
  SigningCertURL: text(1000),
});
type Confirmation = z.output<typeof confirmationSchema>;

const signedFields = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;
const algorithms = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' } as const;
const snsHost = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?$/;
const certificatePath = /^\/SimpleNotificationService-[0-9A-Za-z]{1,100}\.pem$/;

/**
 * Verifies and confirms; returns the ARN of the topic. Throws a Problem that says what is wrong with the
 * request, or that SNS did not answer.
 */
export async function confirmSnsSubscription(
  body: string,
  fetchPage: (url: string) => Promise<SendResult>,
): Promise<string> {
  const confirmation = parseConfirmation(body);
  const certificateUrl = snsUrl(confirmation, 'SigningCertURL');
  if (!certificatePath.test(certificateUrl.pathname) || certificateUrl.search !== '')
    throw invalid('SigningCertURL is not a certificate of Amazon SNS');
  const subscribeUrl = snsUrl(confirmation, 'SubscribeURL');
  const query = subscribeUrl.searchParams;
  const expected = {
    Action: 'ConfirmSubscription',
    TopicArn: confirmation.TopicArn,
    Token: confirmation.Token,
  };
  for (const [name, value] of Object.entries(expected))
    if (subscribeUrl.pathname !== '/' || query.getAll(name).join('\n') !== value)
      throw invalid('SubscribeURL does not confirm the subscription of the topic');
  const certificate = await fetchPage(certificateUrl.href);
  if (certificate.outcome !== 'succeeded') throw unreachable();
  if (!isSigned(confirmation, certificate.answer?.body ?? '')) throw invalid('the signature is wrong');
  const confirmed = await fetchPage(subscribeUrl.href);
  if (confirmed.outcome !== 'succeeded') throw unreachable();
  return confirmation.TopicArn;
}

function parseConfirmation(body: string): Confirmation {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw invalid('the body is not JSON');
  }
  const checked = confirmationSchema.safeParse(parsed);
  if (checked.success) return checked.data;
  throw invalid(`${checked.error.issues[0]?.path.join('.') || 'the body'} is missing or invalid`);
}

/** A URL of SNS itself: https at the default port, without credentials. */
function snsUrl(confirmation: Confirmation, field: 'SigningCertURL' | 'SubscribeURL'): URL {
  const given = confirmation[field];
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (
    url?.protocol !== 'https:' ||
    url.port !== '' ||
    url.username !== '' ||
    url.password !== '' ||
    !snsHost.test(url.hostname)
  )
    throw invalid(`${field} is not a URL of Amazon SNS`);
  return url;
}

function isSigned(confirmation: Confirmation, certificate: string): boolean {
  const verifier = createVerify(algorithms[confirmation.SignatureVersion]);
  for (const name of signedFields) verifier.update(`${name}\n${confirmation[name]}\n`);
  try {
    const key = createPublicKey(certificate);
    return key.asymmetricKeyType === 'rsa' && verifier.verify(key, confirmation.Signature, 'base64');
  } catch {
    return false;
  }
}

const invalid = (detail: string) => new Problem('invalid', { detail });
const unreachable = () => new Problem('unavailable', { detail: 'Amazon SNS did not answer', retryAfter: 60 });
