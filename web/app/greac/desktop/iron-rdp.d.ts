// What the build adds to the RDP client, see `desktopClientPlugin`.
import '@devolutions/iron-remote-desktop-rdp';

declare module '@devolutions/iron-remote-desktop-rdp' {
  /** Address of its WebAssembly. */
  export const wasmUrl: string;
}
