// Email senders: seals the password or API key before it is stored; it is never returned.

import {
  emailActionSenderSetting,
  type SmtpParameters,
} from '@yagura/core/alerthub/email-action-sender-setting';
import { Problem } from '@yagura/core/http/problem';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Encryption, KeyedHash } from '../../common/secrets/server-secret.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { needsSecret, type StoredSender, sealLabel, secretField } from '../deliveries/email-senders.ts';

export interface EmailSenderServices extends ResourceServices {
  secret: KeyedHash & Encryption;
}

type Body = Record<string, unknown>;

export const emailSenderBehaviour: Behaviour<typeof emailActionSenderSetting, EmailSenderServices> = {
  resource: emailActionSenderSetting,
  body: (context, input, before) => senderBody(context, input, before, { demandSecret: true }),
  present(_context, { sealed, ...item }) {
    return { ...item, hasSecret: sealed !== undefined };
  },
};

/**
 * Returns the body to store. Without `demandSecret` a sender may be created that can't send until its secret
 * is set.
 */
export function senderBody(
  context: Pick<RequestContext<EmailSenderServices>, 'services' | 'spaceId' | 't'>,
  input: Body,
  before: Body | undefined,
  { demandSecret }: { demandSecret: boolean },
): Body {
  const sender = input as unknown as StoredSender;
  const known = before as unknown as StoredSender | undefined;
  const name = secretField(sender);
  const { [name]: given, ...parameters } = sender.parameters as unknown as Body;
  const bare = { ...sender, parameters } as unknown as StoredSender;
  const kept = known?.provider === sender.provider ? known.sealed : undefined;
  if (sender.provider === 'smtp') checkUser(context, parameters as unknown as SmtpParameters);
  if (given === undefined || given === '') {
    // A user who may edit a sender but does not know its password must not be able to have it sent to another
    // program, or without encryption.
    if (kept && connectionOf(known) !== connectionOf(bare))
      throw invalidField(context, name, 'sender.password-again');
    if (!kept && needsSecret(bare) && demandSecret) {
      throw invalidField(context, name, sender.provider === 'smtp' ? 'sender.needed' : 'sender.key-needed');
    }
  }
  const sealed =
    given === undefined || given === ''
      ? kept
      : context.services.secret.seal(String(given), sealLabel(context.spaceId)).toString('base64');
  const displayName = sender.displayName || sender.from.name || sender.from.email;
  return {
    ...bare,
    displayName: Array.from(displayName).slice(0, 30).join(''),
    ...(sealed && needsSecret(bare) ? { sealed } : {}),
  };
}

function checkUser(context: Pick<RequestContext, 't'>, parameters: SmtpParameters): void {
  if (parameters.authentication === 'none' || parameters.username !== '') return;
  throw invalidField(context, 'username', 'sender.needed');
}

function invalidField(context: Pick<RequestContext, 't'>, field: string, word: MessageKey): Problem {
  return new Problem('invalid', {
    invalidParams: [{ name: `parameters.${field}`, reason: context.t(word) }],
  });
}

/** Where and how the password is sent. */
function connectionOf(sender: StoredSender | undefined): string {
  const { host, port, security } = (sender?.parameters ?? {}) as Partial<SmtpParameters>;
  return JSON.stringify([host?.toLowerCase(), port, security]);
}
