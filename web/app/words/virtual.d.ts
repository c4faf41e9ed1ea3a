declare module 'virtual:page-words' {
  export const rooms: import('./arriving.ts').Namespaces;
}
