/** Path of the form that makes the user sign in again. */
export const signInAgainPath = '/sign-in-again';
