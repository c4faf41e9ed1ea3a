// Keys, text and the pointer reach the desktop in the order in which the user made them, also when some of it takes time:
// a text that is pasted is given to the desktop first.

export class InputOrder {
  private busy: Promise<void> | undefined;

  /** Runs an action once everything before it is done: at once, unless something takes time. */
  enter(action: () => void | Promise<void>): void {
    const result = this.busy ? this.busy.then(action, action) : action();
    if (!result) return;
    const busy = result.finally(() => {
      if (this.busy === busy) this.busy = undefined;
    });
    this.busy = busy;
  }
}
