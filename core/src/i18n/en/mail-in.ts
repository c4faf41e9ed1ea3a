// Translations for received mails: their slots, content and attachments.
export const mailIn = {
  'mail-in.kind-kept': 'The kind of a receive slot cannot be changed; create another slot',
  'mail-in.regenerate-primary': 'Renew primary',
  'mail-in.regenerate-secondary': 'Renew secondary',
  'mail-in.regenerate-title': 'Renew {{name}}?',
  'mail-in.regenerate-text':
    'A new address is made at random. What senders still send to the old one is refused from now on; the other address stays as it is.',
  'mail-in.from': 'From',
  'mail-in.recipient': 'Received at',
  'mail-in.no-subject': 'No subject',
  'mail-in.text': 'Text',
  'mail-in.html': 'HTML',
  'mail-in.show-html': 'As HTML',
  'mail-in.html-note': 'Shown without scripts, links and anything that would be loaded from elsewhere.',
  'mail-in.attachments': 'Attachments',
  'mail-in.raw': 'Download as received',
  'mail-in.cut-header': 'The header was too long; what is left out is in the download.',
  'mail-in.cut-parts': 'There were too many parts; what is left out is in the download.',
  'mail-in.cut-depth': 'Parts were nested too deeply; what is left out is in the download.',
  'mail-in.cut-text': 'The text was too long; the rest is in the download.',
  'mail-in.cut-html': 'The HTML was too long; the rest is in the download.',
  'mail-in.cut-attachments': 'There were too many attachments; the others are in the download.',
} as const;
