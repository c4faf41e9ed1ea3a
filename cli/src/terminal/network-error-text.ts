// Describes failures of connections in the language of the user; Node.js and OpenSSL only give codes.
import { failureReason } from '@yagura/core/http/transport';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';

/** Error codes with a translation. Several of OpenSSL say that no trusted authority issued the certificate. */
const texts: Record<string, MessageKey> = {
  ECONNREFUSED: 'cli.network-error.refused',
  ECONNRESET: 'cli.network-error.broken',
  ECONNABORTED: 'cli.network-error.broken',
  EPIPE: 'cli.network-error.broken',
  ENOTFOUND: 'cli.network-error.no-name',
  EAI_AGAIN: 'cli.network-error.no-name-server',
  ETIMEDOUT: 'cli.network-error.timeout',
  EHOSTUNREACH: 'cli.network-error.no-route',
  ENETUNREACH: 'cli.network-error.no-route',
  EPROTO: 'cli.network-error.no-tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'cli.network-error.no-tls',
  CERT_HAS_EXPIRED: 'cli.network-error.expired',
  CERT_NOT_YET_VALID: 'cli.network-error.not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'cli.network-error.other-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'cli.network-error.untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'cli.network-error.untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'cli.network-error.untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'cli.network-error.untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'cli.network-error.untrusted',
};

/** The text of an error code, which follows it; what is no known code is returned unchanged. */
export function networkReasonText(reason: string, t: Translate): string {
  return Object.hasOwn(texts, reason) ? `${t(texts[reason]!)}: ${reason}` : reason;
}

/** The reason of a failed request of a library whose own message hides it; of other errors, their message. */
export function networkErrorText(error: Error, t: Translate): string {
  const reason = failureReason(error);
  return Object.hasOwn(texts, reason) ? networkReasonText(reason, t) : error.message;
}
