/** Reads the address of the outgoing mail server, a URL with the credentials and the wanted security. */

export interface SmtpServerSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** On an open connection: insist on STARTTLS, take it when offered, or leave it. */
  starttls: 'required' | 'offered' | 'never';
  auth: { user: string; pass: string } | null;
  /** The way of signing in that is insisted on; the best that the server offers when absent. */
  method?: 'PLAIN' | 'CRAM-MD5';
}

/**
 * `smtps://user:password@host` (port 465) or `smtp://host` (port 587). STARTTLS is taken when the server offers it, and
 * insisted on when there is a password to protect; `?starttls=required|offered|never` says otherwise. Throws when the
 * text is nothing of that; the error never holds the text.
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
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
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
