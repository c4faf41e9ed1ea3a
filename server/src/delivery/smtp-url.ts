/** Parses the URL of the outgoing mail server, including credentials and security options. */
import { withoutBrackets } from '@yagura/core/validation/ip';

export interface SmtpServerSettings {
  host: string;
  port: number;
  /** Implicit TLS. */
  secure: boolean;
  /** On a plain connection: require STARTTLS, use it if offered, or never use it. */
  starttls: 'required' | 'offered' | 'never';
  auth: { user: string; pass: string } | null;
  /** Required authentication method; if absent, the best one that the server offers. */
  method?: 'PLAIN' | 'CRAM-MD5';
}

/**
 * Parses `smtps://user:password@host` (port 465) or `smtp://host` (port 587). STARTTLS is used if the server
 * offers it, and required if there is a password to protect; `?starttls=required|offered|never` overrides
 * this. Throws if the text is invalid; the error never contains the text.
 */
export function parseSmtpUrl(text: string): SmtpServerSettings {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname) {
    throw new Error('The SMTP URL must look like smtp://host:587 or smtps://user:password@host');
  }
  if (url.pathname.length > 1 || url.hash) throw new Error('The SMTP URL must end after the host and port');
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'starttls');
  if (unknown !== undefined) throw new Error(`The SMTP URL takes no setting "${unknown}", only starttls`);
  const secure = url.protocol === 'smtps:';
  const auth = url.username ? { user: decoded(url.username), pass: decoded(url.password) } : null;
  const starttls = url.searchParams.get('starttls') ?? (auth ? 'required' : 'offered');
  if (starttls !== 'required' && starttls !== 'offered' && starttls !== 'never') {
    throw new Error('The setting starttls of the SMTP URL must be required, offered or never');
  }
  return {
    host: withoutBrackets(decoded(url.hostname)),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    starttls,
    auth,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('The SMTP URL holds a broken %-escape');
  }
}
