// The entries of the help menu in their order (spec section 1).
import type { ConsoleContext } from '../../context.ts';

const names = ['guide', 'api-document', 'product-information', 'support', 'privacy', 'terms'] as const;

export interface HelpLink {
  /** The rest of the key of its word. */
  name: (typeof names)[number];
  url: string;
}

/** What is configured, and the API document that the server itself has. A plan's name with the marker has its own support. */
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
