// Entries of the help menu in display order.
import type { ConsoleContext } from '../../context.ts';

const names = ['guide', 'api-document', 'product-information', 'support', 'privacy', 'terms'] as const;

export interface HelpLink {
  /** Last part of the entry's message key. */
  name: (typeof names)[number];
  url: string;
}

/**
 * Returns the configured links and the server's own API document. A plan whose name contains the marker has
 * its own support link.
 */
export function buildHelpLinks(links: ConsoleContext['helpLinks'], planName: string | null): HelpLink[] {
  const { planSupport } = links;
  const ofPlan = planSupport && planName?.includes(planSupport.marker) ? planSupport.url : undefined;
  const urls: Record<HelpLink['name'], string | undefined> = {
    guide: links.guide,
    'api-document': '/docs/api',
    'product-information': links.product,
    support: ofPlan ?? links.support,
    privacy: links.privacy,
    terms: links.terms,
  };
  return names.flatMap((name) => {
    const url = urls[name];
    return url ? [{ name, url }] : [];
  });
}
