// Turns the HTML of a mail into a standalone, sanitized page without scripts or network requests.
import { limitNesting } from '@yagura/core/alerthub/engine/data/html-text';
import sanitizeHtml from 'sanitize-html';

/** Opaque origin, no scripts, no forms, no loads; embeddable by this console only. */
export const htmlPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Image types of attachments that are shown; others are omitted. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Maximum total bytes of embedded images. */
const maxImages = 4 << 20;

/** Maximum nesting of elements; deeper ones keep their text and lose their tags. */
const maxNesting = 200;

export interface InlineImage {
  contentId: string;
  contentType: string;
  bytes: Buffer;
}

/** `pictureOf` returns the image with a Content-ID. */
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
    // Only data URLs inserted by this module.
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    // Styles are kept unchanged: the content security policy prevents them from loading anything.
    parseStyleAttributes: false,
    transformTags: {
      // Shows the target of a link, but does not make it clickable.
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

/** Shows the text of a mail whose HTML takes too long to sanitize. */
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
