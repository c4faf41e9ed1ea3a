// Notice for the page after a write: set in a cookie by the redirect, then shown once in a toast.
import { useLocation } from '@remix-run/react';
import { useEffect } from 'react';
import { useToast } from '../../ui/overlay/toast.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const kinds = [
  'created',
  'saved',
  'deleted',
  'reset',
  'raised',
  'acknowledged',
  'unacknowledged',
  'sent',
] as const;
export type NoticeKind = (typeof kinds)[number];

const cookieName = 'notice';

/** Returns the Set-Cookie header of the redirect. */
export function noticeCookie(kind: NoticeKind): string {
  return `${cookieName}=${kind}; Path=/; SameSite=Lax; Max-Age=30`;
}

/** Shows the notice left by a redirect and removes it. */
export function useNotice(): void {
  const toast = useToast();
  const { t } = useTranslation();
  const { key } = useLocation();
  useEffect(() => {
    const found = new RegExp(`(?:^|; )${cookieName}=([a-z]+)`).exec(document.cookie)?.[1];
    if (!found) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
    document.cookie = `${cookieName}=; Path=/; Max-Age=0`;
    const notice = kinds.find((kind) => kind === found);
    if (notice) toast.success(t(`shell.notice-${notice}`));
  }, [key]);
}
