// What the markup of a page says, read without a browser.
import { loadTranslations } from '@yagura/core/words/dictionary';

export interface PageFacts {
  title: string;
  /** First heading of the first level. */
  heading: string;
  /** Of the document, such as `ja`. */
  language: string;
  /** Breadcrumbs, outermost first. */
  crumbs: string[];
  /** Where the drawer leads. */
  places: string[];
  /** Keys of words that no dictionary has, as they stand where their words belong. */
  missingWords: string[];
}

/** Words begin with these; a dotted name that begins otherwise is somebody's data. */
const beginnings = new Set(Object.keys(await loadTranslations('en')).map((key) => key.split('.')[0]!));

export function factsOf(html: string): PageFacts {
  const drawn = html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '');
  const crumbs = /<nav[^>]*aria-label="[^"]+"[^>]*><ol[^>]*>([\s\S]*?)<\/ol>/.exec(drawn)?.[1] ?? '';
  return {
    title: textOf(/<title[^>]*>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? ''),
    heading: textOf(/<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(drawn)?.[1] ?? ''),
    language: /<html[^>]*\blang="([^"]+)"/.exec(html)?.[1] ?? '',
    crumbs: [...crumbs.matchAll(/<li\b[^>]*>([\s\S]*?)<\/li>/g)].map((match) => textOf(match[1]!)),
    places: [...drawn.matchAll(/<a\b[^>]*\bdata-nav\b[^>]*>/g)].map(
      ([tag]) => /href="([^"]*)"/.exec(tag)?.[1] ?? '',
    ),
    missingWords: missingWords(drawn),
  };
}

/** Code, what is quoted and what people type may hold dotted names of its own; so do the names of hosts. */
function missingWords(drawn: string): string[] {
  const told = drawn.replace(/<(code|pre|textarea|option|kbd)\b[\s\S]*?<\/\1>/g, ' ');
  const attributes = [...told.matchAll(/\b(?:aria-label|title|placeholder|alt)="([^"]*)"/g)];
  const text = [textOf(told, ' '), ...attributes.map((match) => match[1]!)].join(' ');
  const dotted = text.match(/(?<![\w./@:"-])[a-z]+\.[a-z][a-z-]*(?:\.[a-z-]+)*(?![\w/@.-])/g) ?? [];
  const hosts = /\.(com|test|example|local)$/;
  return [...new Set(dotted)].filter((key) => beginnings.has(key.split('.')[0]!) && !hosts.test(key));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function textOf(markup: string, between = ''): string {
  return markup
    .replace(/<[^>]*>/g, between)
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_all, name: string) => entities[name]!)
    .trim();
}
