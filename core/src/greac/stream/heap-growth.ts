// How far the heap of a process that passes streams on grows before V8 searches all of it for garbage.

/**
 * Lets the heap grow to four times of what is in use, as V8 does by itself after some time in which it found little
 * garbage. At first it allows twice as much or less, and counts the memory of packets and frames: in some processes, a
 * download then had the whole heap searched for every 15 MB, which took more processor time than to encrypt and send
 * them. The function is that of node:v8; it is passed in, because browsers do not have it.
 */
export function growHeapFurther(setFlagsFromString: (flags: string) => void): void {
  setFlagsFromString('--heap-growing-percent=300');
}
