/** Targets are processed in blocks of this size. */
export const blockSize = 256;
/** Milliseconds to wait for answers of on-link addresses, and of one TCP probe. */
export const neighborWaitMs = 1200;
export const probeTimeoutMs = 1000;
/** Blocks whose neighbors are searched while an earlier block is processed. */
export const blocksAhead = 4;
/** Addresses that an installed scanner receives at once, however fast it may send. */
export const maxScannerTargets = 4096;
