import { isBlocked } from '../block-list.ts'
import type { Random } from '../random.ts'
import { isHeldOut, type Split } from '../split.ts'

const STARTS =
  'b c d f g h j k l m n p r s t v w z br ch cl cr dr fl gr kl pl pr sh sk sl sn sp st sw th tr'.split(' ')
const MIDDLES = 'a e i o u a e i o ai ea ee oa ou ia io'.split(' ')
const ENDS =
  'l n r s t m d k x la na ra ta lo no ro to ma da nd rt st ck ll ne le re on en er in is us um or an el ix'.split(
    ' ',
  )

/** A word that nobody has heard, so that what is to be copied cannot be guessed. */
export function coined(random: Random, split: Split): string {
  for (;;) {
    const length = random.pick([1, 1, 2])
    let word = ''
    for (let at = 0; at < length; at++) word += random.pick(STARTS) + random.pick(MIDDLES)
    word += random.chance(0.5)
      ? random.pick(ENDS)
      : random.pick(STARTS.slice(0, 18)) + random.pick(MIDDLES.slice(0, 9)) + random.pick(ENDS)
    if (isHeldOut(word) === (split === 'test') && !isBlocked(word))
      return word.charAt(0).toUpperCase() + word.slice(1)
  }
}
