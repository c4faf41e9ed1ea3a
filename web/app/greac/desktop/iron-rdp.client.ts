// The RDP client, 6 MB with its WebAssembly. Only loaded in browsers, and only when a desktop is shown.
export { Backend, enableCredssp, init } from '@devolutions/iron-remote-desktop-rdp';
