// Intents of the forms that acknowledge a scope, or withdraw the acknowledgement.
export const acknowledgeIntents = { acknowledge: 'acknowledge', withdraw: 'unacknowledge' } as const;
