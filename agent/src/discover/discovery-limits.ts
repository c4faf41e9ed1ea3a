/** Targets are processed in blocks of this size, so that the kernel's neighbor table (1,024 entries) suffices. */
export const blockSize = 256;
/** Milliseconds to wait for answers of a block of on-link addresses, and of one TCP probe. */
export const neighborWaitMs = 1200;
export const probeTimeoutMs = 1000;
