// Decides about the certificate of a host: verified, known, new or changed.
import { SessionError } from '../session-error.ts';
import { type HostKeyJudge, judgeHostKey, knownKeys, type ShownKey } from '../ssh/judge-host-key.ts';

export interface ShownCertificate extends ShownKey {
  /** An authority that this machine trusts has issued it for this host. */
  isVerified: boolean;
}

/** Resolves if it is accepted; `isPinned` certificates are kept, and only they may stay. */
export async function judgeCertificate(
  judge: HostKeyJudge,
  { isVerified, ...key }: ShownCertificate,
  ignoresCertificate: boolean,
): Promise<{ isPinned: boolean; isNew: boolean }> {
  if (ignoresCertificate) return { isPinned: false, isNew: false };
  if (isVerified && (await knownKeys(judge)).length === 0) return { isPinned: false, isNew: false };
  try {
    return { isPinned: true, ...(await judgeHostKey(judge, key)) };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const { code, params } = error;
    if (code === 'HOST_KEY_CHANGED') throw new SessionError('CERTIFICATE_CHANGED', params);
    if (code === 'HOST_KEY_UNKNOWN') throw new SessionError('CERTIFICATE_UNKNOWN', params);
    throw error;
  }
}
