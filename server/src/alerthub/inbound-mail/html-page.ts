// The HTML of a mail as a page of its own that can do no harm: sanitised, without scripts, without a single request.
import { limitNesting } from '@yagura/core/alerthub/engine/data/html-text';
import sanitizeHtml from 'sanitize-html';

/** Its own origin, no scripts, no forms, no loads; shown by this console alone. */
export const htmlPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Pictures that a mail brings along and shows; others are left out. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Bytes of pictures that go into the page. */
const maxImages = 4 << 20;

/** Elements within one another; what is nested deeper keeps its text and loses its tags. */
const maxNesting = 200;

export interface InlineImage {
  contentId: string;
  contentType: string;
  bytes: Buffer;
}

/** `pictureOf` finds what an image means by its Content-ID. */
export function renderHtmlPage(
  html: string,
  pictureOf: (contentId: string) => InlineImage | undefined,
): string {
  let left = maxImages;
  const inline = (source: string): string | undefined => {
    const picture = /^cid:/i.test(source) ? pictureOf(decoded(source.slice(4))) : undefined;
    if (!picture || !imageTypes.has(picture.contentType) || picture.bytes.length > left) return undefined;
    left -= picture.bytes.length;
    return `data:${picture.contentType};base64,${picture.bytes.toString('base64')}`;
  };
  const body = sanitizeHtml(limitNesting(html, maxNesting), {
    allowedTags: [
      ...sanitizeHtml.defaults.allowedTags,
      'img',
      'font',
      'center',
      'big',
      'strike',
      'del',
      'ins',
    ],
    allowedAttributes: {
      '*': [
        ...[
          'style',
          'dir',
          'lang',
          'title',
          'align',
          'valign',
          'width',
          'height',
          'bgcolor',
          'color',
          'border',
        ],
        ...['cellpadding', 'cellspacing', 'colspan', 'rowspan'],
      ],
      font: ['face', 'size'],
      img: ['src', 'alt'],
    },
    // Only what this page itself has put there.
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    // Styles stay as they are: the policy of the page keeps them from loading anything.
    parseStyleAttributes: false,
    transformTags: {
      // Where a link leads is told; following it from here is not offered.
      a: (_name, { href = '' }) => ({ tagName: 'u', attribs: { title: href.slice(0, 2000) } }),
      img: (_name, { src = '', alt = '', width, height }) => {
        const data = inline(src);
        return {
          tagName: 'img',
          attribs: {
            alt: alt || (data ? '' : '🖼'),
            ...(data ? { src: data } : {}),
            ...(width ? { width } : {}),
            ...(height ? { height } : {}),
          },
        };
      },
    },
  });
  return pageOf(body);
}

/** The page of a mail whose HTML takes too long to be made harmless: what it says, as text. */
export function renderTextPage(text: string): string {
  return pageOf(`<pre>${text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</pre>`);
}

function pageOf(body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>body{margin:1rem;font:14px/1.5 system-ui,sans-serif;color:#1b1b1b;background:#fff;overflow-wrap:anywhere}img{max-width:100%}pre{white-space:pre-wrap}</style><body>${body}`;
}

function decoded(contentId: string): string {
  try {
    return decodeURIComponent(contentId);
  } catch {
    return contentId;
  }
}
