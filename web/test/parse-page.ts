// What the markup of a page says, read without a browser.
import { loadTranslations } from '@yagura/core/i18n/load-translations';

export interface ParsedPage {
  title: string;
  /** First heading of the first level. */
  heading: string;
  /** Of the document, such as `ja`. */
  language: string;
  /** Breadcrumbs, outermost first. */
  crumbs: string[];
  /** Where the drawer leads. */
  menuPaths: string[];
  /** Keys of words that no dictionary has, as they stand where their words belong. */
  missingTranslations: string[];
}

/** Words begin with these; a dotted name that begins otherwise is somebody's data. */
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

/** Code, what is quoted and what people type may hold dotted names of its own; so do the names of hosts. */
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
