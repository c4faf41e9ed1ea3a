// Extracts facts from a page's markup without a browser.
import { loadTranslations } from '@yagura/core/i18n/load-translations';

export interface ParsedPage {
  title: string;
  /** The first h1. */
  heading: string;
  /** Language of the document, e.g. `ja`. */
  language: string;
  /** Breadcrumbs, outermost first. */
  crumbs: string[];
  /** Links of the drawer. */
  menuPaths: string[];
  /** Untranslated message keys shown as text. */
  missingTranslations: string[];
}

/** First segments of message keys; dotted names that start otherwise are data. */
const keyPrefixes = new Set(Object.keys(await loadTranslations('en')).map((key) => key.split('.')[0]!));

export function parsePage(html: string): ParsedPage {
  const drawn = html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '');
  const crumbs = /<nav[^>]*aria-label="[^"]+"[^>]*><ol[^>]*>([\s\S]*?)<\/ol>/.exec(drawn)?.[1] ?? '';
  return {
    title: textContent(/<title[^>]*>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? ''),
    heading: textContent(/<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(drawn)?.[1] ?? ''),
    language: /<html[^>]*\blang="([^"]+)"/.exec(html)?.[1] ?? '',
    crumbs: [...crumbs.matchAll(/<li\b[^>]*>([\s\S]*?)<\/li>/g)].map((match) => textContent(match[1]!)),
    menuPaths: [...drawn.matchAll(/<a\b[^>]*\bdata-nav\b[^>]*>/g)].map(
      ([tag]) => /href="([^"]*)"/.exec(tag)?.[1] ?? '',
    ),
    missingTranslations: missingTranslations(drawn),
  };
}

/** Code, quotations, user input and host names may contain other dotted names. */
function missingTranslations(drawn: string): string[] {
  const told = drawn.replace(/<(code|pre|textarea|option|kbd)\b[\s\S]*?<\/\1>/g, ' ');
  const attributes = [...told.matchAll(/\b(?:aria-label|title|placeholder|alt)="([^"]*)"/g)];
  const text = [textContent(told, ' '), ...attributes.map((match) => match[1]!)].join(' ');
  const dotted = text.match(/(?<![\w./@:"-])[a-z]+\.[a-z][a-z-]*(?:\.[a-z-]+)*(?![\w/@.-])/g) ?? [];
  const hosts = /\.(com|test|example|local)$/;
  return [...new Set(dotted)].filter((key) => keyPrefixes.has(key.split('.')[0]!) && !hosts.test(key));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function textContent(markup: string, between = ''): string {
  return markup
    .replace(/<[^>]*>/g, between)
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_all, name: string) => entities[name]!)
    .trim();
}
