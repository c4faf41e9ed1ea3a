// Work on messages that runs in a thread.
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Language } from '@yagura/core/i18n/translator';
import type { RunThreadJob } from '../../common/thread-pool.ts';
import { renderHtmlPage } from '../inbound-mail/html-page.ts';
import { extractAttachment, extractInlineImages } from '../inbound-mail/parse-mail.ts';
import { encodeContent } from './message-content.ts';

interface MessageContentInput {
  body: Uint8Array;
  headers: Record<string, string>;
  language: Language;
}

export const messageThreadJobs = {
  /**
   * Renders the HTML of a mail as a page; `raw` is the whole mail when its embedded pictures may be shown.
   */
  async mailPage({ html, raw }: { html: string; raw: Uint8Array | undefined }): Promise<string> {
    const pictures = raw && extractInlineImages(bufferOf(raw));
    return renderHtmlPage(html, (contentId) => pictures?.get(contentId));
  },
  async mailAttachment({ raw, index }: { raw: Uint8Array; index: number }) {
    return extractAttachment(bufferOf(raw), index);
  },
  /** The content of a non-mail message, as JSON for a reply. */
  async messageContent({ body, headers, language }: MessageContentInput): Promise<Uint8Array> {
    return encodeContent(bufferOf(body), headers, await loadTranslator(language));
  },
};

type Jobs = typeof messageThreadJobs;

/** The threads that messages need. */
export interface MessageThreads {
  run: RunThreadJob<'mailPage', Jobs['mailPage']> &
    RunThreadJob<'mailAttachment', Jobs['mailAttachment']> &
    RunThreadJob<'messageContent', Jobs['messageContent']>;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
