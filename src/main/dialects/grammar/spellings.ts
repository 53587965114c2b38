import { plain, quoted } from './script.ts'
import type { Spelling } from './values.ts'

/** JSON whose texts do not contain what is in `avoid`. */
export const jsonSpelling = (avoid: readonly string[] = []): Spelling => ({
  quote: '"',
  script: quoted(avoid),
  constants: ['true', 'false', 'null'],
  bareKeys: false,
  isSpaced: true,
})

/** Literals of Python. */
export const pythonSpelling = (avoid: readonly string[]): Spelling => ({
  ...jsonSpelling(avoid),
  constants: ['True', 'False', 'None'],
})

/** Values of the Gemma models, with their own mark around texts. */
export const gemmaSpelling = (quote: string, avoid: readonly string[]): Spelling => ({
  quote,
  script: plain([quote, ...avoid]),
  constants: ['true', 'false', 'null'],
  bareKeys: true,
  isSpaced: false,
})
