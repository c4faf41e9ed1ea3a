// Reads the cookie by which a remembered browser skips the second step.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { rememberedDays } from './totp.ts';

const cookieName = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-yagura_browser' : 'yagura_browser';

/** The token in the cookie; undefined when absent. */
export function readRememberedBrowser(req: IncomingMessage, publicUrl: string): string | undefined {
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.split('=', 2).map((text) => text.trim());
    if (name === cookieName(publicUrl) && /^[\w-]{20,128}$/.test(value)) return value;
  }
  return undefined;
}

export function setRememberedBrowser(res: ServerResponse, publicUrl: string, token: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  res.appendHeader(
    'set-cookie',
    `${cookieName(publicUrl)}=${token}; Path=/; Max-Age=${rememberedDays * 86_400}; HttpOnly; SameSite=Lax${secure}`,
  );
}
