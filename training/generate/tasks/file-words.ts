import type { Talk } from '../talk.ts'
import { textExtensions, wholeNames } from '../words/computing.ts'
import { wordsFor } from '../split.ts'

/** A name for a file of text, such as `old-garden.txt`. */
export function fileName(
  talk: Pick<Talk, 'random' | 'split' | 'slot'>,
  extensions: readonly string[] = textExtensions,
): string {
  const { random, split, slot } = talk
  if (extensions === textExtensions && random.chance(0.2)) return random.pick(wordsFor(wholeNames, split))
  const joint = random.pick(['-', '-', '_', ''])
  const stem = slot(random.chance(0.65) ? 'noun' : 'phrase')
    .toLowerCase()
    .replaceAll(' ', joint)
  const number = random.chance(0.1) ? `${joint}${random.between(1, 2026)}` : ''
  return `${stem}${number}.${random.pick(extensions)}`
}

export const folderName = (talk: Pick<Talk, 'slot'>): string => talk.slot('folder').toLowerCase()

/** A path that leads into a folder, or not. */
export const pathName = (
  talk: Pick<Talk, 'random' | 'split' | 'slot'>,
  extensions?: readonly string[],
): string =>
  talk.random.chance(0.45) ? `${folderName(talk)}/${fileName(talk, extensions)}` : fileName(talk, extensions)

/** A line of text as it stands in notes. */
export function line(talk: Pick<Talk, 'random' | 'slot'>): string {
  const { random, slot } = talk
  const makers: readonly (() => string)[] = [
    () => slot('task'),
    () => `${slot('noun')} on ${slot('weekday')}`,
    () => `${slot('person')} ${slot('verb')} the ${slot('noun')}`,
    () => `call ${slot('person')} about the ${slot('noun')}`,
    () => `the ${slot('noun')} is ${slot('adjective')}`,
    () => `${slot('number')} ${slot('noun')} for ${slot('person')}`,
    () => `meet ${slot('person')} at ${slot('hour')}`,
    () => `buy ${slot('food')} and ${slot('food')}`,
    () => `${slot('noun')}: ${slot('coined')}`,
    () => `${slot('city')}, ${slot('date')}`,
    () => `the ${slot('adjective')} ${slot('noun')} costs ${slot('number')} euros`,
    () => `${slot('coined')} and ${slot('coined')}`,
    () => slot('phrase'),
    () => slot('food'),
    () => `TODO ${slot('task')}`,
  ]
  const text = random.pick(makers)()
  return random.chance(0.35) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/** Put a few files into the folder of the conversation, unless it has some. */
export function layOutFiles(talk: Talk): void {
  const { desk, random } = talk
  if (desk.files.size > 0) return
  const folders = random.some([folderName(talk), folderName(talk)], random.below(3))
  for (let count = random.between(1, 6); count > 0; count--) {
    const folder = folders.length > 0 && random.chance(0.6) ? `${random.pick(folders)}/` : ''
    const text = Array.from({ length: random.between(1, 4) }, () => line(talk)).join('\n')
    desk.files.set(folder + fileName(talk), text + (random.chance(0.3) ? '\n' : ''))
  }
}
