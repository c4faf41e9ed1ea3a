/** Milliseconds in which one viewer's typing gives one marker. */
const markerMs = 5000;

/** Decides which typing gets a marker in a recording. */
export class TypingMarks {
  private last = { label: '', at: Number.NEGATIVE_INFINITY };

  isNew(label: string, at: number): boolean {
    if (this.last.label === label && at - this.last.at < markerMs) return false;
    this.last = { label, at };
    return true;
  }
}
