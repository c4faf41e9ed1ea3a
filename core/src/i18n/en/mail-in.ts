// Translations for received mails: their slots, content and attachments.
export const mailIn = {
  'mail-in.kind-kept': 'The kind of a receive slot cannot be changed. Create another slot.',
  'mail-in.regenerate-primary': 'Regenerate primary',
  'mail-in.regenerate-secondary': 'Regenerate secondary',
  'mail-in.regenerate-title': 'Regenerate {{name}}?',
  'mail-in.regenerate-text':
    'The server generates a new random address and rejects everything sent to the old one. The other address does not change.',
  'mail-in.from': 'From',
  'mail-in.recipient': 'Received at',
  'mail-in.no-subject': 'No subject',
  'mail-in.text': 'Text',
  'mail-in.html': 'HTML',
  'mail-in.show-html': 'Show HTML',
  'mail-in.html-note': 'Shown without scripts, links and external content.',
  'mail-in.attachments': 'Attachments',
  'mail-in.raw': 'Download original',
  'mail-in.cut-header':
    'The header was too long and is not complete here. Download the original to see all of it.',
  'mail-in.cut-parts':
    'There were too many parts, and some are missing here. Download the original to see all of them.',
  'mail-in.cut-depth':
    'Parts were nested too deeply, and some are missing here. Download the original to see all of them.',
  'mail-in.cut-text':
    'The text was too long and is not complete here. Download the original to see all of it.',
  'mail-in.cut-html':
    'The HTML was too long and is not complete here. Download the original to see all of it.',
  'mail-in.cut-attachments':
    'There were too many attachments, and some are missing here. Download the original to see all of them.',
} as const;
