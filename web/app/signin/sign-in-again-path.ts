/** Where a form is sent to whose person has to sign in anew first. */
export const signInAgainPath = '/sign-in-again';
