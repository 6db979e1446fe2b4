// Bytes that grow at their end without being copied for each addition. Knows nothing of what they mean.

export class GrowingBytes {
  #bytes = Buffer.allocUnsafe(1 << 14);
  length = 0;

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A view that holds only until something is added. */
  view(from = 0): Buffer {
    return this.#bytes.subarray(from, this.length);
  }

  #reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    larger.set(this.view());
    this.#bytes = larger;
  }
}
