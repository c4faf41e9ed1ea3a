// Words of calls: refusals, what is told of chains, and the screens of Pigeon.
export const pigeon = {
  'pigeon.one-way': 'Give either {{id}} or {{inline}}, not both',
  'pigeon.no-such-phone': 'The contact has {{count}} phone numbers',
  'pigeon.phone-called': 'The callflow "{{name}}" calls phone {{phone}} of this contact',
  'pigeon.transfer-ticket': 'Call transfer needs a ticket of a Pigeon plan',
  'pigeon.phone-hidden': 'Unauthorized users cannot view phone numbers',
  'pigeon.handed-over': 'Handed over as call result {{resultId}}',
  'pigeon.rejected.title': 'Failed to invoke chain',
  'pigeon.rejected.noLine': 'No line is configured, so nobody can be called',
  'pigeon.rejected.callflow': 'There is no such callflow',
  'pigeon.rejected.guidance': 'There is no such guidance',
  'pigeon.rejected.contact': 'The callflow names a contact that does not exist',
  'pigeon.rejected.noTransfer':
    'The guidance transfers calls, but the callflow names no transfer destination',
  'pigeon.rejected.ticket': 'Call transfer needs a ticket of a Pigeon plan',
  'pigeon.rejected.template': 'A template of the guidance could not be filled: {{detail}}',
  'pigeon.mail.started': '[Yagura] Calling: {{callflow}}',
  'pigeon.mail.succeeded': '[Yagura] Calls succeeded: {{callflow}}',
  'pigeon.mail.aborted': '[Yagura] Calls aborted: {{callflow}}',
  'pigeon.mail.failed': '[Yagura] Calls failed: {{callflow}}',
  'pigeon.mail.text':
    'Callflow: {{callflow}}\nGuidance: {{guidance}}\nCall result: {{url}}\nResult ID: {{resultId}}',
} as const;
