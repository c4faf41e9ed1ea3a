import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { failedResult, type SendResult } from '../../delivery/send-result.ts';
import { confirmSnsSubscription } from './sns-subscription.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const certificate = publicKey.export({ type: 'spki', format: 'pem' }) as string;
const host = 'https://sns.ap-northeast-1.amazonaws.com';
const topic = 'arn:aws:sns:ap-northeast-1:123456789012:alarms';

const unsigned = {
  Type: 'SubscriptionConfirmation',
  MessageId: 'c5a4b1a0-0000-4000-8000-000000000001',
  Token: '2336412f37',
  TopicArn: topic,
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`,
  Timestamp: '2026-01-02T03:04:05.000Z',
  SignatureVersion: '2',
  SigningCertURL: `${host}/SimpleNotificationService-0123456789abcdef.pem`,
};
const signed = (change: Partial<Record<keyof typeof unsigned | 'Signature', string>> = {}): string => {
  const message = { ...unsigned, ...change };
  const signer = createSign(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256');
  const names = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;
  for (const name of names) signer.update(`${name}\n${message[name]}\n`);
  return JSON.stringify({ Signature: signer.sign(privateKey, 'base64'), ...message });
};

const success = (body: string): SendResult => ({
  ...{ outcome: 'succeeded', retry: false, statusCode: 200, reply: null },
  reason: { word: 'delivery.succeeded', params: {} } as unknown as SendResult['reason'],
  answer: { statusCode: 200, headers: {}, isBodyEncoded: false, body },
});
const confirm = async (body: string, isUnreachable: (url: string) => boolean = () => false) => {
  const fetched: string[] = [];
  const topicArn = await confirmSnsSubscription(body, async (url) => {
    fetched.push(url);
    if (isUnreachable(url))
      return failedResult('delivery.connection', { detail: 'ECONNREFUSED' }, { retry: true });
    return success(url.endsWith('.pem') ? certificate : '');
  }).catch((error: { detail: string }) => error.detail);
  return { topicArn, fetched };
};

describe('a subscription of Amazon SNS', () => {
  it.each(['1', '2'])('is confirmed after its signature of version %s was verified', async (version) => {
    expect(await confirm(signed({ SignatureVersion: version }))).toEqual({
      topicArn: topic,
      fetched: [unsigned.SigningCertURL, unsigned.SubscribeURL],
    });
  });

  it.each([
    'http://sns.ap-northeast-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.ap-northeast-1.amazonaws.com.example.com/SimpleNotificationService-1.pem',
    'https://example.com/SimpleNotificationService-1.pem',
    'https://sns.ap-northeast-1.amazonaws.com:8443/SimpleNotificationService-1.pem',
    'https://user@sns.ap-northeast-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.a.b.amazonaws.com/SimpleNotificationService-1.pem',
    `${host}/other.pem`,
    `${host}/SimpleNotificationService-1.pem?x`,
    'nonsense',
  ])('fetches no certificate from %s', async (SigningCertURL) => {
    const { topicArn, fetched } = await confirm(signed({ SigningCertURL }));
    expect(topicArn).toMatch(/^SigningCertURL is not/);
    expect(fetched).toEqual([]);
  });

  it.each([
    'http://169.254.169.254/?Action=ConfirmSubscription',
    'https://example.com/?Action=ConfirmSubscription',
    `${host}/?Action=Unsubscribe&TopicArn=${topic}&Token=2336412f37`,
    `${host}/?Action=ConfirmSubscription&Action=Unsubscribe&TopicArn=${topic}&Token=2336412f37`,
    `${host}/?Action=ConfirmSubscription&TopicArn=other&Token=2336412f37`,
    `${host}/?Action=ConfirmSubscription&TopicArn=${topic}`,
    `${host}/path?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`,
  ])('is not confirmed at %s', async (SubscribeURL) => {
    const { topicArn, fetched } = await confirm(signed({ SubscribeURL }));
    expect(topicArn).toMatch(/^SubscribeURL /);
    expect(fetched).toEqual([]);
  });

  it.each([
    [{ Signature: 'AAAA' }, 'the signature is wrong'],
    [{ SignatureVersion: '3' }, 'SignatureVersion is missing or invalid'],
    [{ Type: 'Notification' }, 'Type is missing or invalid'],
    [{ Token: '' }, 'Token is missing or invalid'],
  ])('is refused with %j', async (change, detail) => {
    const { topicArn, fetched } = await confirm(signed(change));
    expect(topicArn).toBe(detail);
    expect(fetched).not.toContain(unsigned.SubscribeURL);
  });

  it('is refused if a signed field was changed', async () => {
    const message = { ...JSON.parse(signed()), Message: 'another' };
    expect((await confirm(JSON.stringify(message))).topicArn).toBe('the signature is wrong');
  });

  it.each(['{', '[]', 'null'])('is refused for the body %s', async (body) => {
    expect((await confirm(body)).fetched).toEqual([]);
  });

  it.each(['.pem', 'Token'])('can be tried again if SNS does not answer: %s', async (part) => {
    expect((await confirm(signed(), (url) => url.includes(part))).topicArn).toBe('Amazon SNS did not answer');
  });
});
