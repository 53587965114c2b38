import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { patchText } from '../../src/main/files/patch/patch-text.ts'
import { DISTORTIONS, TOGETHER, type Distortion } from './distortions.ts'
import { generateEdit, randomFrom, type Edit } from './generate.ts'
import { LANGUAGES } from './languages.ts'

/** How one distorted edit ended. */
export type Tried = {
  language: string
  distortion: string
  edit: Edit
  outcome: 'right' | 'refused' | 'wrong'
  /** The resulting file, or why the edit was refused. */
  got: string
}

/** Each distortion alone, and several at once. */
const WAYS = [
  ...DISTORTIONS.map(each => ({ name: each.name, distortions: [each] })),
  { name: 'several at once', distortions: DISTORTIONS.filter(({ name }) => TOGETHER.includes(name)) },
]

/** Try edits in every language with every distortion, `each` for every pair. */
export function tryEdits(seed: number, each: number): Tried[] {
  const random = randomFrom(seed)
  return LANGUAGES.flatMap(language =>
    WAYS.flatMap(({ name, distortions }) =>
      Array.from({ length: each }, (): Tried => {
        const edit = generateEdit(language, random)
        const { old, now } = distortBoth(edit, distortions)
        const told = { language: language.name, distortion: name, edit: { ...edit, old, now } }
        const patched = patchText(edit.file, { old, new: now, all: false })
        if (isRefusal(patched)) return { ...told, outcome: 'refused', got: patched.refused }
        return { ...told, outcome: patched.text === edit.intended ? 'right' : 'wrong', got: patched.text }
      }),
    ),
  )
}

/**
 * Distort both texts. If no quoted line shows a distortion, nobody can know of it, so the new text stays as
 * it is.
 */
function distortBoth({ old, now }: Edit, distortions: readonly Distortion[]): { old: string; now: string } {
  let both = { old, now }
  for (const { distort } of distortions) {
    const distorted = distort(both.old, both.old)
    if (distorted !== both.old) both = { old: distorted, now: distort(both.now, both.old) }
  }
  return both
}
