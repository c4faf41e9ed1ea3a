/** A host that forwards packets, by one of the addresses at which it was read. */
export interface KnownRouter {
  address: string;
  ports: number[];
  /** Networks of its interfaces. */
  networks: string[];
  identities: string;
}
