/** A small generator of unsigned 32-bit numbers with the same sequence on every platform for the same seed. */
export function seededNumbers(seed: number): () => number {
  let a = seed >>> 0 || 1
  let b = 0x9e3779b9
  let c = 0x85ebca6b
  let d = 0xc2b2ae35
  return () => {
    const shifted = (b << 9) | 0
    const product = Math.imul(a, 5)
    const result = ((product << 7) | (product >>> 25)) * 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
}
