import { isOneMistake } from '../../lib/words/similarity.ts'
import type { Scene } from './guide-scene.ts'

/** Words that requests contain besides their subject. */
const EMPTY = new Set(
  `a an the my our your this that these those it its i me you u we us he she they is are am was were be been do does did done have has had
  can could would will shall should may might please pls thanks to of in on at for from with about by into and or but not no if as so then
  there here any some all every whole what whats which who whose where when why how much many make made read open show see view display
  print list find search look get give go tell say says said write wrote written down out up put in inside contents content text file files
  document documents called named first last next line lines top bottom again still just quickly now need want like let know check words
  word page thing things stuff note got still hi hello hey ok okay full whole really contain contains contained mention mentioned
  folder folders directory summarize summarise summary sum`.split(/\s+/),
)

/** The content words of a text, in lower case and with their endings. */
const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !EMPTY.has(word) && word.length > 1)

const single = (word: string): string =>
  word.replace(/(?<=\p{L}{2})(?:ies|s)$/u, end => (end === 'ies' ? 'y' : ''))

const isSame = (a: string, b: string): boolean =>
  single(a) === single(b) || (a.length >= 6 && b.length >= 6 && isOneMistake(single(a), single(b)))

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []

/**
 * The only file whose name and folders match all content words of a text; `words` is their number. Undefined
 * if a word matches no name, or if several files match.
 */
export function fileByWords(
  text: string,
  files: readonly string[],
): { path: string; words: number } | undefined {
  const fitting = filesByWords(text, files)
  return fitting.length === 1 ? { path: fitting[0]!, words: contentWords(text).length } : undefined
}

/** All files that match the content words of a text; none if it has no such words. */
export function filesByWords(text: string, files: readonly string[]): string[] {
  const wanted = contentWords(text)
  if (wanted.length === 0) return []
  return files.filter(path => {
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]+$/, '')
    const said = [...wordsOf(path), wordsOf(stem).join('')]
    return wanted.every(word => said.some(each => isSame(each, word)))
  })
}

/** The only folder that matches a text; undefined if none or several match. */
export function folderByWords(text: string, { folders }: Pick<Scene, 'folders'>): string | undefined {
  const wanted = contentWords(text)
  const fitting = folders.filter(path => wanted.some(word => wordsOf(path).some(each => isSame(each, word))))
  return wanted.length === 1 && fitting.length === 1 ? fitting[0] : undefined
}

/** The only file whose name is one typing error away from a written one; undefined if not exactly one. */
export function nearFile(written: string, files: readonly string[]): string | undefined {
  const near = files.filter(path =>
    [path, path.slice(path.lastIndexOf('/') + 1)].some(name =>
      isOneMistake(written.toLowerCase(), name.toLowerCase()),
    ),
  )
  return near.length === 1 ? near[0] : undefined
}
