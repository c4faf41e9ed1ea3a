/** An operation of the command line that cannot be done; its message is shown to the user. */
export class CommandRefused extends Error {}
