// A word for the next page after a write: left in a cookie by the redirect, told in a toast, and gone.
import { useLocation } from '@remix-run/react';
import { useEffect } from 'react';
import { useToast } from '../../ui/overlay/toast.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const kinds = ['created', 'saved', 'deleted', 'reset', 'raised', 'sent'] as const;
export type NoticeKind = (typeof kinds)[number];

const cookieName = 'notice';

/** Set-Cookie line for the reply that leads to the next page. */
export function noticeCookie(kind: NoticeKind): string {
  return `${cookieName}=${kind}; Path=/; SameSite=Lax; Max-Age=30`;
}

/** Shows the notice that a redirect left. */
export function useNotice(): void {
  const toast = useToast();
  const { t } = useTranslation();
  const { key } = useLocation();
  useEffect(() => {
    const found = new RegExp(`(?:^|; )${cookieName}=([a-z]+)`).exec(document.cookie)?.[1];
    if (!found) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
    document.cookie = `${cookieName}=; Path=/; Max-Age=0`;
    if (kinds.some((kind) => kind === found)) toast.success(t(`shell.notice-${found}`));
  }, [key]);
}
