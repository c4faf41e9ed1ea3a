declare module 'virtual:translations' {
  export const namespaces: import('./loaded-translations.ts').Namespaces;
}
