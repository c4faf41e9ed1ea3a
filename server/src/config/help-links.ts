// Links of the console's help menu; entries without an address are omitted.

import { isHttp, trimmed } from '../common/variable-kinds.ts';

export interface HelpLinks {
  guide?: string;
  product?: string;
  support?: string;
  privacy?: string;
  terms?: string;
  /** A different support address for plans whose name contains the marker. */
  planSupport?: { marker: string; url: string };
}

export const helpLinkVariables = {
  YAGURA_GUIDE_URL: link(),
  YAGURA_PRODUCT_URL: link(),
  YAGURA_SUPPORT_URL: link(),
  YAGURA_PRIVACY_URL: link(),
  YAGURA_TERMS_URL: link(),
  YAGURA_PLAN_SUPPORT_MARKER: trimmed().optional(),
  YAGURA_PLAN_SUPPORT_URL: link(),
};

type Values = { [Name in keyof typeof helpLinkVariables]?: string | undefined };

export function toHelpLinks(values: Values): HelpLinks {
  const marker = values.YAGURA_PLAN_SUPPORT_MARKER;
  const url = values.YAGURA_PLAN_SUPPORT_URL;
  return {
    ...set('guide', values.YAGURA_GUIDE_URL),
    ...set('product', values.YAGURA_PRODUCT_URL),
    ...set('support', values.YAGURA_SUPPORT_URL),
    ...set('privacy', values.YAGURA_PRIVACY_URL),
    ...set('terms', values.YAGURA_TERMS_URL),
    ...(marker && url ? { planSupport: { marker, url } } : {}),
  };
}

const set = (name: keyof HelpLinks, url: string | undefined) => (url ? { [name]: url } : {});

/** An address, or a path of this server. */
function link() {
  return trimmed()
    .refine((given) => /^\/(?!\/)/.test(given) || isLink(given), {
      error: 'give an http, https or mailto address, or a path of this server',
    })
    .transform((given) => (given.startsWith('/') ? given : new URL(given).href))
    .optional();
}

function isLink(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  return isHttp(url) || url.protocol === 'mailto:';
}
