// Reads the links of the console's help menu from the configuration; entries without an address are omitted.

export interface HelpLinks {
  guide?: string;
  product?: string;
  support?: string;
  privacy?: string;
  terms?: string;
  /** A different support address for plans whose name contains the marker. */
  planSupport?: { marker: string; url: string };
}

/** Reads the addresses; throws the error that `refuse` creates from an explanation. */
export function readHelpLinks(
  env: Record<string, string | undefined>,
  refuse: (reason: string) => Error,
): HelpLinks {
  const links: HelpLinks = {};
  for (const name of ['guide', 'product', 'support', 'privacy', 'terms'] as const) {
    const url = readLink(env, `YAGURA_${name.toUpperCase()}_URL`, refuse);
    if (url) links[name] = url;
  }
  const marker = env.YAGURA_PLAN_SUPPORT_MARKER?.trim();
  const url = readLink(env, 'YAGURA_PLAN_SUPPORT_URL', refuse);
  if (Boolean(marker) !== Boolean(url)) {
    throw refuse('YAGURA_PLAN_SUPPORT_MARKER and YAGURA_PLAN_SUPPORT_URL: give both or none');
  }
  if (marker && url) links.planSupport = { marker, url };
  return links;
}

function readLink(
  env: Record<string, string | undefined>,
  name: string,
  refuse: (reason: string) => Error,
): string | undefined {
  const text = env[name]?.trim();
  if (!text) return undefined;
  if (text.startsWith('/') && !text.startsWith('//')) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^(https?|mailto):$/.test(url.protocol)) {
    throw refuse(`${name}: give an http, https or mailto address, or a path of this server`);
  }
  return url.href;
}
