/** Query parameter of the page for a new rule: the message that the rule is for. */
export const messageParam = 'messageId';
