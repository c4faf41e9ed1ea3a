// RC4, which NTLM seals messages with and Node no longer has. It protects nothing here: the messages are inside TLS.

export class Rc4 {
  private readonly state = Uint8Array.from({ length: 256 }, (_, index) => index);
  private i = 0;
  private j = 0;

  constructor(key: Uint8Array) {
    for (let i = 0, j = 0; i < 256; i += 1) {
      j = (j + this.state[i]! + key[i % key.length]!) & 255;
      this.swap(i, j);
    }
  }

  /** Encrypts or decrypts what follows in the stream. */
  apply(bytes: Uint8Array): Buffer {
    return Buffer.from(
      bytes.map((byte) => {
        this.i = (this.i + 1) & 255;
        this.j = (this.j + this.state[this.i]!) & 255;
        this.swap(this.i, this.j);
        return byte ^ this.state[(this.state[this.i]! + this.state[this.j]!) & 255]!;
      }),
    );
  }

  private swap(i: number, j: number): void {
    [this.state[i], this.state[j]] = [this.state[j]!, this.state[i]!];
  }
}
