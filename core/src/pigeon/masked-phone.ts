// Masks phone numbers for users without permission: a fixed text that does not even reveal the length.

/** Permission to see phone numbers; of the built-in roles only Pigeon's administrator has it. */
export const phonePermission = 'pigeon:phone-numbers:get';

/** Replaces a phone number. */
export const maskedPhone = '********';
