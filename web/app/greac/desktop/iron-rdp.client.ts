// The RDP client, with 4.5 MB of WebAssembly. Only loaded in browsers, and only for pages about desktops.
export { Backend, enableCredssp, init, wasmUrl } from '@devolutions/iron-remote-desktop-rdp';
