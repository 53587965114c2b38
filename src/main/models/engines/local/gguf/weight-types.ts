/** The storage of a weight type: elements per block, and bytes per block. */
export type WeightType = { name: string; per: number; bytes: number }

const plain = (name: string, bytes: number): WeightType => ({ name, per: 1, bytes })
const small = (name: string, bytes: number): WeightType => ({ name, per: 32, bytes })
const large = (name: string, bytes: number): WeightType => ({ name, per: 256, bytes })

/** The weight types by their number in a GGUF file. */
export const weightTypes: Readonly<Record<number, WeightType>> = {
  0: plain('F32', 4),
  1: plain('F16', 2),
  2: small('Q4_0', 18),
  3: small('Q4_1', 20),
  6: small('Q5_0', 22),
  7: small('Q5_1', 24),
  8: small('Q8_0', 34),
  9: small('Q8_1', 36),
  10: large('Q2_K', 84),
  11: large('Q3_K', 110),
  12: large('Q4_K', 144),
  13: large('Q5_K', 176),
  14: large('Q6_K', 210),
  15: large('Q8_K', 292),
  16: large('IQ2_XXS', 66),
  17: large('IQ2_XS', 74),
  18: large('IQ3_XXS', 98),
  19: large('IQ1_S', 50),
  20: small('IQ4_NL', 18),
  21: large('IQ3_S', 110),
  22: large('IQ2_S', 82),
  23: large('IQ4_XS', 136),
  24: plain('I8', 1),
  25: plain('I16', 2),
  26: plain('I32', 4),
  27: plain('I64', 8),
  28: plain('F64', 8),
  29: large('IQ1_M', 56),
  30: plain('BF16', 2),
  34: large('TQ1_0', 54),
  35: large('TQ2_0', 66),
  39: small('MXFP4', 17),
}

/** The common names of mixtures of types, by their number in the header. */
const mixtures: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
  36: 'TQ1_0',
  37: 'TQ2_0',
  38: 'MXFP4',
  39: 'NVFP4',
  40: 'Q1_0',
  41: 'Q2_0',
}
/** Flag in a header whose type was guessed by the program that wrote it. */
const GUESSED = 1_024

/**
 * Return the common name of a file's quantization, such as `Q4_K_M`: from the header, or else the type of
 * most of its bytes. Empty if neither is known.
 */
export function quantisationOf(fileType: unknown, bytesByType: ReadonlyMap<number, number>): string {
  const [most] = [...bytesByType].toSorted(([, a], [, b]) => b - a)
  // The size of an unknown type cannot be compared.
  const isTold = [...bytesByType.keys()].every(type => weightTypes[type])
  const kind = most && isTold ? weightTypes[most[0]]?.name : undefined
  const said = typeof fileType === 'number' ? mixtures[fileType % GUESSED] : undefined
  // Quantization programs may leave the label of the unquantised original.
  const isLeft = said !== undefined && /^B?F\d+$/.test(said) && kind !== undefined && !/^B?F\d+$/.test(kind)
  return (isLeft ? kind : (said ?? kind)) ?? ''
}
