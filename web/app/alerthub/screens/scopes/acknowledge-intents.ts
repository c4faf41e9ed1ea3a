// Intents of the forms that acknowledge a scope, and withdraw that.
export const acknowledgeIntents = { acknowledge: 'acknowledge', withdraw: 'unacknowledge' } as const;
