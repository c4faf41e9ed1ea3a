import { smtpAuthentications, smtpSecurities } from '@yagura/core/alerthub/email-action-sender-setting';
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { describe, expect, test } from 'vitest';
import { createSmtpMailer } from '../../delivery/smtp-mailer.ts';
import { smtpServer } from './email-senders.ts';

const sinkTls = { plain: 'none', tls: 'full', starttls: 'starttls' } as const;
const request = { to: [{ name: '', email: 'a@example.com' }], cc: [], bcc: [], subject: 's', text: 't' };
const meta = { deliveryId: 'd', timestamp: 0, attempt: 1 };

describe('each authentication with each security', () => {
  const pairs = smtpAuthentications.flatMap((authentication) =>
    smtpSecurities.map((security) => ({ authentication, security })),
  );
  test.each(pairs)('$authentication over $security', async ({ authentication, security }) => {
    const methods = [authentication === 'plain' ? 'PLAIN' : 'CRAM-MD5'] as const;
    const auth = authentication === 'none' ? {} : { auth: { user: 'u', pass: 'p', methods } };
    const sink = await startSmtpSink({ tls: sinkTls[security], ...auth });
    const mailer = createSmtpMailer({
      server: smtpServer(
        { host: '127.0.0.1', port: sink.port, security, authentication, username: 'u' },
        'p',
      ),
      from: { name: '', email: 'from@example.com' },
      authorities: [sink.certificate],
    });
    expect(await mailer.sendMail(request, meta)).toMatchObject({ outcome: 'succeeded' });
    expect(sink.mails).toMatchObject([
      { secure: security !== 'plain', user: authentication === 'none' ? null : 'u' },
    ]);
    mailer.close();
    await sink.close();
  });

  test('STARTTLS is insisted on, and a certificate that nobody vouches for is not trusted', async () => {
    const open = await startSmtpSink();
    const parameters = { host: '127.0.0.1', authentication: 'none', username: '' } as const;
    const from = { name: '', email: 'from@example.com' };
    const bare = createSmtpMailer({
      server: smtpServer({ ...parameters, port: open.port, security: 'starttls' }, null),
      from,
    });
    expect(await bare.sendMail(request, meta)).toMatchObject({ outcome: 'failed', retry: true });
    const sealed = await startSmtpSink({ tls: 'full' });
    const strict = createSmtpMailer({
      server: smtpServer({ ...parameters, port: sealed.port, security: 'tls' }, null),
      from,
    });
    expect(await strict.sendMail(request, meta)).toMatchObject({ outcome: 'failed', retry: true });
    expect([...open.mails, ...sealed.mails]).toEqual([]);
    bare.close();
    strict.close();
    await Promise.all([open.close(), sealed.close()]);
  });
});
