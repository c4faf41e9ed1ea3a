// Phone numbers as people see them who may not (spec section 6): a fixed text that tells nothing, not even the length.

/** Permission that shows phone numbers; of the product's roles only the administrator of Pigeon holds it. */
export const phonePermission = 'pigeon:phone-numbers:get';

/** Stands where a phone number would. */
export const maskedPhone = '********';
