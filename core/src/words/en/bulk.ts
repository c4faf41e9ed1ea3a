// AlertHub's settings, test sends and bulk tools.
export const bulk = {
  'page.about-notification-addresses':
    'These addresses are told when an action could not be delivered: once for a burst of failures, at most hourly for an action.',
  'page.about-email-senders':
    'Email actions are sent by one of these, or by the way that the server itself is set up with.',
  'page.test-send': 'Test send',
  'page.test-send-title': 'Send a test?',
  'page.test-send-text':
    'The action is sent once to its real recipients with made-up values, marked as a drill. Its record shows what came of it.',
  'page.no-action-deliveries': 'This action has not been sent yet',
  'page.resend': 'Send again',
  'page.resend-title': 'Send it again?',
  'page.resend-text': 'The delivery is tried again for a day, under the same delivery ID.',
  'shell.notice-sent': 'On its way',
} as const;
